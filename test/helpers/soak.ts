/**
 * `npm run test:soak` (VEDETTE_SOAK=1) takes its time: it repeats at other moments and seeds what
 * `npm test` does a few times at moments that are spread out.
 */
export const soaking = process.env['VEDETTE_SOAK'] === '1';

/** How often something is done: in `npm test`, and in the soak. */
export const rounds = (here: number, soak: number): number => (soaking ? soak : here);
