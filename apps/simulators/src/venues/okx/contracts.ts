import { INSTRUMENTS, type Instrument } from '../../world/index.ts';

/** BTC-USDT-SWAP */
export const instIdOf = ({ base }: Instrument) => `${base}-USDT-SWAP`;

/** Sizes are told in contracts of so many units (ctVal), down to a hundredth of one. */
export function contractsOf({ contractSize }: Instrument, baseUnits: string): number {
  return Number((Number(baseUnits) / contractSize).toFixed(4));
}

/** https://www.okx.com/docs-v5/en/#public-data-rest-api-get-instruments */
export function listInstruments(instId: string | null) {
  return INSTRUMENTS.okx
    .filter((one) => !instId || instIdOf(one) === instId)
    .map((one) => ({
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
    }));
}
