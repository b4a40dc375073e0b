import { INSTRUMENTS, type Instrument } from '../../world/index.ts';

/** BTC-USDT-SWAP */
export const instIdOf = ({ base }: Instrument) => `${base}-USDT-SWAP`;

/** Sizes are in contracts of a fixed number of units (ctVal), down to a hundredth of one. */
export function contractsOf({ contractSize }: Instrument, baseUnits: string): number {
  return Number((Number(baseUnits) / contractSize).toFixed(4));
}

/**
 * A contract counted in USD and settled in bitcoin; one settled in dollars of any kind; and one before its listing,
 * with few fields. Expired contracts are not listed.
 */
const OTHERS = [
  { base: 'BTC', id: 'BTC-USD-SWAP', family: 'BTC-USD', settleCcy: 'BTC', ctVal: '100', ctType: 'inverse' },
  {
    base: 'ETH',
    id: 'ETH-USD_UM-SWAP',
    family: 'ETH-USD_UM',
    settleCcy: 'USDC',
    ctVal: '0.1',
    ctType: 'linear',
  },
  { base: '', id: 'NEW-USDT-SWAP', family: 'NEW-USDT', settleCcy: 'USDT', ctVal: '', ctType: '' },
].map(({ base, id, family, settleCcy, ctVal, ctType }) => ({
  instType: 'SWAP',
  instId: id,
  uly: family.replace('_UM', ''),
  instFamily: family,
  baseCcy: '',
  quoteCcy: '',
  settleCcy,
  ctVal,
  ctMult: ctVal === '' ? '' : '1',
  ctValCcy: ctType === 'inverse' ? 'USD' : base,
  ctType,
  lever: ctVal === '' ? '' : '100',
  tickSz: ctVal === '' ? '' : '0.1',
  lotSz: ctVal === '' ? '' : '1',
  minSz: ctVal === '' ? '' : '1',
  state: ctVal === '' ? 'preopen' : 'live',
  listTime: '1573557408000',
  expTime: '',
}));

/** https://www.okx.com/docs-v5/en/#public-data-rest-api-get-instruments */
export function listInstruments(instId: string | null) {
  return [...INSTRUMENTS.okx.map(linearRow), ...OTHERS].filter((one) => !instId || one.instId === instId);
}

const linearRow = (one: Instrument) => ({
  instType: 'SWAP',
  instId: instIdOf(one),
  uly: `${one.base}-USDT`,
  instFamily: `${one.base}-USDT`,
  baseCcy: '',
  quoteCcy: '',
  settleCcy: 'USDT',
  ctVal: String(one.contractSize),
  ctMult: '1',
  ctValCcy: one.base,
  ctType: 'linear',
  lever: String(one.maxLeverage),
  tickSz: (10 ** -one.priceDecimals).toFixed(one.priceDecimals),
  lotSz: String(Number((one.lot / one.contractSize).toFixed(4))),
  minSz: String(Number((one.lot / one.contractSize).toFixed(4))),
  state: 'live',
  listTime: '1573557408000',
  expTime: '',
});
