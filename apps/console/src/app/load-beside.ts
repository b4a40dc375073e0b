const LOAD_AGAIN_MS = 2_000;

/** Loads a part that works beside the screens. Without a connection they stay, and this is tried again. */
export const loadBeside = <Module>(load: () => Promise<Module>): Promise<Module> =>
  load().catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, LOAD_AGAIN_MS));
    return loadBeside(load);
  });
