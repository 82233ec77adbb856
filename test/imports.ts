import { join } from 'node:path'
import t from 'tap'
import { findForbiddenImports } from '../scripts/check/imports.ts'

const root = join(import.meta.dirname, '..')

t.test('imports follow the arrows of ARCHITECTURE.md', async (t) => {
  t.strictSame(findForbiddenImports(root), [])
})

t.test('an import against the arrows is found', async (t) => {
  const tree = t.testdir({
    src: {
      domain: {
        'money.ts': "import '../usecases/place.ts'\nimport { readFile } from 'node:fs'\n",
      },
      usecases: { 'place.ts': "import '../domain/money.ts'\n" },
      'config.ts': "export { start } from './open-service.ts'\n",
      config: { 'flags.ts': "import '../http/app.ts'\nimport '../config.ts'\n" },
    },
    commands: { 'serve.ts': "await import('../src/adapters/lowdb.ts')\n" },
  })
  t.strictSame(findForbiddenImports(tree).sort(), [
    'commands/serve.ts imports ../src/adapters/lowdb.ts',
    'src/config.ts imports ./open-service.ts',
    'src/config/flags.ts imports ../http/app.ts',
    'src/domain/money.ts imports ../usecases/place.ts',
    'src/domain/money.ts imports node:fs',
  ])
})
