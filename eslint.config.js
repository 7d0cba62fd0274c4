import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** The house's floors, top first: each may import only from those below it. */
const floors = ['e2e', 'src', 'workers', 'models'];

/** The same inside models/, lowest first; a folder imports only what stands before it. */
const domain = [
  'array',
  'files',
  'onnx',
  'nanowm',
  'autoencoder',
  'perceptual',
  'bundle',
  'diffusion',
  'metrics',
  'worlds',
  'tasks',
];

const floorZones = floors.flatMap((floor, index) =>
  floors.slice(0, index).map((above) => ({
    target: `./${floor}`,
    from: `./${above}`,
    message: `${floor}/ stands below ${above}/: imports go downwards (e2e, src, workers, models), so move the shared piece down.`,
  })),
);

const domainZones = domain.flatMap((folder, index) =>
  domain.slice(index + 1).map((later) => ({
    target: `./models/${folder}`,
    from: `./models/${later}`,
    message: `models/${folder}/ stands before models/${later}/ in the reading order; it must not import from it.`,
  })),
);

const siblingZones = [
  {
    target: './src/page',
    from: './src/cli',
    message: 'The page and the command line are siblings: neither imports the other.',
  },
  {
    target: './src/cli',
    from: './src/page',
    message: 'The command line and the page are siblings: neither imports the other.',
  },
  {
    target: './src/page',
    from: './workers',
    except: ['./protocol.ts'],
    message: 'The page knows workers only through workers/protocol.ts.',
  },
  {
    target: './models/onnx',
    from: './models/files',
    except: ['./weights.ts'],
    message:
      'models/onnx/ writes graphs from weights, whatever file they came from: import only files/weights.ts.',
  },
];

export default defineConfig(
  { ignores: ['dist', 'models/training/work', 'test-results', 'playwright-report'] },
  tseslint.configs.strict,
  {
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.tsx', '.js', '.mjs'] })],
    },
    rules: {
      'import-x/no-cycle': 'error',
      'import-x/no-restricted-paths': ['error', { zones: [...floorZones, ...domainZones, ...siblingZones] }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      // Index access in numeric loops is checked by the loop's own bounds.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      'max-lines': ['error', { max: 400 }],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['models/**/*.ts'],
    ignores: ['**/*.test.ts', 'models/testing/**', 'models/training/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^(node:|fs$|path$|react|onnxruntime|comlink|zustand|@mujoco)',
              message:
                'models/ is the pure domain: no Node, no DOM, no runtime; pass what it needs in as an argument.',
            },
          ],
        },
      ],
      'no-restricted-globals': [
        'error',
        ...['fetch', 'window', 'document', 'navigator', 'process', 'self'].map((name) => ({
          name,
          message: `models/ is the pure domain: ${name} belongs to the floors above; pass it in.`,
        })),
      ],
      'no-restricted-properties': [
        'error',
        {
          object: 'Math',
          property: 'random',
          message: 'Randomness is seeded and passed in (models/array/random.ts).',
        },
        { object: 'Date', property: 'now', message: 'The clock is passed in.' },
      ],
    },
  },
  {
    files: ['src/page/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: "NewExpression[callee.name='Worker']",
          message: 'Only src/page/engine/ starts workers, so that each has one owner.',
        },
      ],
    },
  },
  { files: ['src/page/engine/**/*.ts'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['src/cli/**/*.ts', 'e2e/**/*.ts', 'models/training/**/*.ts', '*.config.*'],
    rules: { 'no-console': 'off' },
  },
);
