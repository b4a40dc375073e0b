export { figureEntry, type OverviewFigure, overviewCalls } from './overview.ts';
