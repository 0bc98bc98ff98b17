import stylistic from '@stylistic/eslint-plugin';
import typescript from 'typescript-eslint';

export default typescript.config(
  typescript.configs.recommended,
  stylistic.configs.customize({ semi: true, braceStyle: '1tbs', arrowParens: true, quoteProps: 'as-needed' }),
  {
    rules: {
      '@stylistic/max-len': ['error', { code: 130 }],
      '@stylistic/quotes': ['error', 'single', { avoidEscape: true }],
      // other libraries declare less than they have, and CommonJS has no "import"
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-require-imports': 'off',
      '@typescript-eslint/ban-ts-comment': 'off',
    },
  },
  { files: ['test/types.ts'], rules: { '@typescript-eslint/no-unused-vars': 'off' } },
);
