import '../../server/runtime.js';

await import('./run.ts');
