import { buildDashboard } from '../../build/dashboard.ts';
import { buildDesktop } from '../../build/desktop.ts';

/** Before all tests: what browser and window show is built, so that must be what is written. */
export async function setup(): Promise<void> {
  await buildDashboard();
  await buildDesktop();
}
