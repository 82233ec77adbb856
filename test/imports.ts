import t from 'tap'
import { findCircles, findForbiddenImports, findMachineUses } from '../scripts/check/imports.ts'

t.test('a use of the machine without a port is found', async (t) => {
  const tree = t.testdir({
    src: {
      usecases: {
        'place.ts': `import { setTimeout as pause } from 'node:timers/promises'
import { createHash, randomBytes } from 'node:crypto'
import { decodeJwt, SignJWT } from 'jose'
const from = Date.now()
const at = new Date(), known = new Date(0)
setTimeout(() => {}, 1)
`,
        'paid.ts': `import { isIP } from 'node:net'
import type { Server } from 'node:net'
import { setTimeout } from '../machine/time.ts'
setTimeout(() => {}, 1)
clock.setTimeout(() => {}, 1)
`,
      },
      machine: { 'time.ts': "import { setTimeout } from 'node:timers/promises'\n" },
    },
  })
  t.strictSame(findMachineUses(tree).sort(), [
    'src/usecases/place.ts uses Date.now',
    'src/usecases/place.ts uses SignJWT',
    'src/usecases/place.ts uses new Date()',
    'src/usecases/place.ts uses node:timers/promises',
    'src/usecases/place.ts uses randomBytes',
    'src/usecases/place.ts uses setTimeout',
  ])
})

t.test('an import that the arrows do not allow is found', async (t) => {
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

t.test('only commands and the tools that are listed import a tool', async (t) => {
  const tree = t.testdir({
    src: {
      tools: {
        testing: { 'client.ts': "import '../../domain/money.ts'\n" },
        with: { 'run.ts': "import '../testing/client.ts'\nimport '../scenario/run.ts'\n" },
        unknown: { 'run.ts': "import '../../domain/money.ts'\n" },
      },
      cli: { serve: { 'serve.ts': "import '../../tools/with/run.ts'\n" } },
      http: { 'app.ts': "await import('../tools/testing/client.ts')\n" },
    },
    commands: { 'with.ts': "import '../src/tools/with/run.ts'\n" },
  })
  t.strictSame(findForbiddenImports(tree).sort(), [
    'src/cli/serve/serve.ts imports ../../tools/with/run.ts',
    'src/http/app.ts imports ../tools/testing/client.ts',
    'src/tools/testing/client.ts imports ../../domain/money.ts',
    'src/tools/unknown/run.ts imports ../../domain/money.ts',
    'src/tools/with/run.ts imports ../scenario/run.ts',
  ])
})

t.test('a page of the console imports neither a use case nor the store', async (t) => {
  const tree = t.testdir({
    src: {
      http: {
        'operator.ts': "import './console/page.ts'\nimport '../usecases/place.ts'\n",
        console: {
          'page.ts': `import '../operator.ts'
import '../../operations/operations.ts'
import type { Service } from '../../usecases/service.ts'
import type { Store } from '../../ports/store.ts'
import type { Logger } from '../../ports/logger.ts'
`,
        },
      },
    },
  })
  t.strictSame(findForbiddenImports(tree).sort(), [
    'src/http/console/page.ts imports ../../ports/store.ts',
    'src/http/console/page.ts imports ../../usecases/service.ts',
  ])
})

t.test('a circle of imports is found, even if it only imports types', async (t) => {
  const tree = t.testdir({
    src: {
      domain: {
        'money.ts': "import type { Share } from './share.ts'\n",
        'share.ts': "export { price } from './price.ts'\n",
        'price.ts': "import { add } from './money.ts'\n",
        'self.ts': "import { one } from './self.ts'\n",
        'text.ts': "import { add } from './money.ts'\n",
      },
    },
  })
  t.strictSame(findCircles(tree).sort(), [
    'src/domain/money.ts, src/domain/price.ts, src/domain/share.ts',
    'src/domain/self.ts',
  ])
})
