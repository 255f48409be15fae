import { buildDashboard } from '../../build/dashboard.ts';

/** Before all tests: the browser shows what is built, so that must be what is written. */
export const setup = () => buildDashboard();
