// Makes the module that `serve --demo` has its data from: a single executable has no files beside it. Not kept in git: it is fixtures/demo.yaml once more.
import { join } from 'node:path'
import { readFixtureFiles } from '../src/cli/read-fixture-files.ts'
import { gzip } from './gzip.ts'
import { writeIfChanged } from './write-if-changed.ts'

const root = join(import.meta.dirname, '..')
const { input } = await readFixtureFiles([join(root, 'fixtures', 'demo.yaml')])

const gzipped = gzip(JSON.stringify(input)).toString('base64')

writeIfChanged(
  join(root, 'src', 'cli', 'serve', 'demo-data.ts'),
  [
    '// Made by `npm run build` from fixtures/demo.yaml.\n',
    '/** JSON: what `fixtures.apply` takes. */',
    `export const gzippedDemoData =\n  '${gzipped}'\n`,
  ].join('\n'),
)
