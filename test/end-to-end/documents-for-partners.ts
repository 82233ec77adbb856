import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import {
  type CommandBlock,
  findSavedFiles,
  readCommandBlocks,
  readDocument,
  typeSteps,
} from '../../fixtures/program/document-blocks.ts'
import { findUnusedPort } from '../../fixtures/servers/peer.ts'

const ci = readCommandBlocks('docs/start/ci.md')
const scenarios = readCommandBlocks('docs/start/scenarios.md')
const partners = [
  'docs/partners/sandbox.md',
  'docs/partners/integration.md',
  'docs/partners/receivers.md',
]

/** Compilers that may be missing, each with the block that needs it. */
const compilers = { javac: / java Receiver\.java/, mcs: /^mcs / }

/** Leaves out the blocks of languages for which this machine has no compiler. */
function leaveOutOthers(t: Test, steps: readonly CommandBlock[]): readonly CommandBlock[] {
  const missing = Object.entries(compilers).filter(([name]) => spawnSync(name, ['--version']).error)
  for (const [name] of missing)
    t.pass(`the receiver that needs ${name}`, { skip: `there is no ${name} on this machine` })
  return steps.filter(({ commands }) => !missing.some(([, needs]) => needs.test(commands)))
}

t.test('the pages about CI, scenarios, clients and receivers work', async (t) => {
  const files = partners.map((path) => findSavedFiles(readDocument(path)))
  const folder = t.testdir(Object.assign({}, ...files))
  const port = await findUnusedPort()
  const steps = leaveOutOthers(t, [...ci, ...scenarios, ...partners.flatMap(readCommandBlocks)])
  await typeSteps(t, steps, { dataDirectory: join(folder, 'data'), port, folder })
})
