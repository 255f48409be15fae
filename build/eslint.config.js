import svelte from 'eslint-plugin-svelte';
import tseslint from 'typescript-eslint';

const HABITS = {
  eqeqeq: ['error', 'always', { null: 'ignore' }],
  'no-console': 'error',
};

export default tseslint.config(
  {
    ignores: [
      'node_modules/**',
      'build/eslint.config.js',
      'coverage/**',
      'ui/dist/**',
      'ui/public/**',
    ],
  },
  {
    files: ['**/*.ts'],
    ignores: ['ui/**'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname + '/..' },
    },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      'prefer-const': 'error',
      // Numbers in messages are fine; objects and promises are not.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Fastify's handlers and hooks may be async without awaiting.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  // svelte-check knows the types of the dashboard; here it is about habits.
  { files: ['ui/**/*.ts'], extends: [tseslint.configs.strict], rules: HABITS },
  {
    files: ['ui/**/*.svelte', 'ui/**/*.svelte.ts'],
    extends: [tseslint.configs.strict, svelte.configs.recommended],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
    rules: {
      ...HABITS,
      // Properties are taken apart together, whether they change or not.
      'prefer-const': 'off',
      // The router takes plain links.
      'svelte/no-navigation-without-resolve': 'off',
    },
  },
);
