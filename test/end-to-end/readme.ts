import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { findUnusedPort } from '../../fixtures/peer.ts'
import { commandWords, type Served, serve } from '../../fixtures/served.ts'
import { tourSteps } from '../../fixtures/tour-steps.ts'
import { typeBlocks } from '../../fixtures/type-blocks.ts'

const readme = readFileSync(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8')
const first = tourSteps(sectionOf('Five minutes'))
const webhooks = tourSteps(sectionOf('Ten minutes: webhooks'))
const contract = tourSteps(sectionOf('The contract'))

function sectionOf(heading: string): string {
  return new RegExp(`^## ${heading}$([\\s\\S]*?)^## `, 'm').exec(readme)?.[1] ?? ''
}

/** What the README puts before `npm start` where it starts the service for the second time. */
function secondStart(): Record<string, string> {
  const line = /^ {4}((?:COOPSHARE_\w+=\S+ )+)npm start$/m.exec(sectionOf('Ten minutes: webhooks'))
  const settings = line?.[1]?.trim().split(' ') ?? []
  return Object.fromEntries(settings.map((setting) => setting.split('=')))
}

/** What differs from run to run: ids, references made of ids, instants, and how long something took. */
function withoutChance(text: string): string {
  return (
    text
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
      .replaceAll(/\b[0-9A-F]{32}\b/g, '<reference>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<instant>')
      .replaceAll(/\b\d+ ms\b */g, '<time> ')
      // How many events there are of each state grows with every run.
      .replaceAll(/^(none|pending|delivered|dead) +\d+ +\d+$/gm, '$1 <before> <after>')
      .trim()
  )
}

interface Typing {
  readonly served: Served
  readonly dataDirectory: string
  /** Where the receiver of the README listens. */
  readonly port: number
}

/** Types the blocks into one shell and compares what they print. */
async function type(t: Test, steps: typeof first, { served, dataDirectory, port }: Typing) {
  const blocks = steps.map(({ commands }) =>
    commands
      .replace('http://127.0.0.1:8080', served.base_url)
      .replace('node bin/run.js', commandWords.join(' '))
      .replaceAll(/(127\.0\.0\.1:|--port )3000\b/g, `$1${port}`),
  )
  const printed = await typeBlocks(t, blocks, { COOPSHARE_DATA_DIR: dataDirectory })
  for (const [index, { commands, output }] of steps.entries()) {
    const shown = printed[index]?.replaceAll(`127.0.0.1:${port}`, '127.0.0.1:3000') ?? 'nothing'
    t.equal(withoutChance(shown), withoutChance(output), commands)
  }
}

t.test('the tour of the README, pasted block by block, prints what the README shows', async (t) => {
  const dataDirectory = join(t.testdir(), 'data')
  const argv = ['--demo', '--data-dir', dataDirectory]
  const port = await findUnusedPort()
  t.ok(first.length > 10 && webhooks.length > 5, 'the README has a tour')

  await t.test('five minutes', async (t) => {
    const served = await serve(t, argv)
    await type(t, first, { served, dataDirectory, port })
    await t.test('and once more', (t) => type(t, first, { served, dataDirectory, port }))
    await served.stop()
  })

  await t.test('ten minutes: webhooks', async (t) => {
    const variables = secondStart()
    t.match(variables, { COOPSHARE_ALLOW_PRIVATE_WEBHOOKS: 'true' })
    const served = await serve(t, argv, variables)
    // The customer of the first tour.
    const customer = first.findIndex(({ commands }) => commands.startsWith('ORDER='))
    const steps = [...first.slice(0, customer), ...webhooks]
    await type(t, steps, { served, dataDirectory, port })
    await t.test('and once more', (t) => type(t, steps, { served, dataDirectory, port }))
    await served.stop()
  })

  await t.test('the contract', async (t) => {
    t.equal(contract.length, 2)
    const served = await serve(t, argv)
    await type(t, [...first.slice(0, 1), ...contract], { served, dataDirectory, port })
    await served.stop()
  })
})
