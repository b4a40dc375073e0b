import { readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';

export interface ModuleFacts {
  /** `isUsed`: by statements of the module itself, loaded with it; not passed on, and not loaded by a call. */
  imports: { specifier: string; isTypeOnly: boolean; isUsed: boolean }[];
  readsEnvironment: boolean;
}

/** Every import of a module, types included: type stripping would hide those. */
export function readModule(path: string): ModuleFacts {
  const { program, errors } = parseSync(path, readFileSync(path, 'utf8'));
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const facts: ModuleFacts = { imports: [], readsEnvironment: false };
  const add = (specifier: string, isTypeOnly: boolean, isUsed = false) =>
    facts.imports.push({ specifier, isTypeOnly, isUsed });
  new Visitor({
    ImportDeclaration: ({ source, importKind, specifiers }) => {
      const kinds = specifiers.map((one) => (one.type === 'ImportSpecifier' ? one.importKind : 'value'));
      const isTypeOnly = kinds.length > 0 && kinds.every((kind) => kind === 'type');
      add(source.value, importKind === 'type' || isTypeOnly, true);
    },
    ExportNamedDeclaration: ({ source, exportKind, specifiers }) => {
      if (!source) return;
      const isTypeOnly = specifiers.length > 0 && specifiers.every((one) => one.exportKind === 'type');
      add(source.value, exportKind === 'type' || isTypeOnly);
    },
    ExportAllDeclaration: ({ source, exportKind }) => add(source.value, exportKind === 'type'),
    ImportExpression: ({ source }) => {
      if (source.type === 'Literal' && typeof source.value === 'string') add(source.value, false);
    },
    TSImportType: ({ source }) => add(source.value, true, true),
    MemberExpression: ({ object, property }) => {
      if (object.type !== 'Identifier' || object.name !== 'process') return;
      if (property.type === 'Identifier' && property.name === 'env') facts.readsEnvironment = true;
    },
  }).visit(program);
  return facts;
}
