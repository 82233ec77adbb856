import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { serve } from '../../fixtures/served.ts'
import { tourSteps } from '../../fixtures/tour-steps.ts'

const root = join(import.meta.dirname, '..', '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const tour = /^## Five minutes$([\s\S]*?)^## /m.exec(readme)?.[1] ?? ''
const steps = tourSteps(tour)
const separator = '--- end of step ---'

/** One shell for all steps, because later ones use what earlier ones have set. */
async function typeAll(blocks: readonly string[], dataDirectory: string): Promise<string[]> {
  const script = blocks.map((commands) => `${commands}\necho '${separator}'`).join('\n')
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-O', 'expand_aliases', '-c', `exec 2>&1\n${script}`],
    { cwd: root, env: { ...shellEnvironment(), COOPSHARE_DATA_DIR: dataDirectory } },
  )
  return stdout.split(`${separator}\n`).slice(0, -1)
}

function shellEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env
  return { PATH, HOME }
}

/** What differs from run to run: ids, references made of ids, instants. */
function withoutChance(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\b[0-9A-F]{32}\b/g, '<reference>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<instant>')
    .trim()
}

t.test('the tour of the README, pasted block by block, prints what the README shows', async (t) => {
  const dataDirectory = join(t.testdir(), 'data')
  const { base_url: api } = await serve(t, ['--demo', '--data-dir', dataDirectory])
  const blocks = steps.map(({ commands }) => commands.replace('http://127.0.0.1:8080', api))
  const printed = await typeAll(blocks, dataDirectory)
  t.ok(steps.length > 10, 'the README has a tour')
  for (const [index, { commands, output }] of steps.entries()) {
    t.equal(withoutChance(printed[index] ?? ''), withoutChance(output), commands)
  }
})
