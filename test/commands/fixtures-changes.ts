import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { stringify } from 'yaml'
import FixturesApply from '../../commands/fixtures/apply.ts'
import FixturesExport from '../../commands/fixtures/export.ts'
import { completeProvision } from '../../fixtures/builders/investors.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { startService } from '../../fixtures/program/run-command.ts'
import {
  type CommandContext,
  noSeed,
  runnerOn,
  withAndWithoutService,
} from '../../fixtures/program/with-and-without-service.ts'
import { requireYes } from '../../src/cli/confirm.ts'

const sun = { key: 'sun', name: 'Sonne eG', energy_category: 'solar', share_price: '250.00' }

function setUp({ status = 'settled', price = '250.00', email = 'a@mail.example' } = {}): string {
  const share_purchases = [{ cooperative: 'sun', share_count: 5, status }]
  const investors = [{ ...completeProvision({ email }), share_purchases }]
  return stringify({
    organizations: [{ name: 'Demo Bank', investors }],
    cooperatives: [{ ...sun, share_price: price }],
  })
}

const files = {
  'first.yaml': setUp(),
  'rejected.yaml': setUp({ status: 'rejected', price: '300.00' }),
  'changed.yaml': setUp({ price: '300.00', email: 'b@mail.example' }),
  'more.yaml': `${setUp()}  - { key: wind, name: Wind eG, energy_category: wind, share_price: 100 }\n`,
}

withAndWithoutService(t, { files, seed: noSeed, test })

async function test(t: Test, { run, file }: CommandContext<unknown>): Promise<void> {
  await run(FixturesApply, file('first.yaml'))
  const { stdout: before } = await run(FixturesExport)
  const isUnchanged = async (t: Test) => t.equal((await run(FixturesExport)).stdout, before)

  await t.test(
    'a file that contradicts the store is refused with line and values [D48]',
    async (t) => {
      const refused = await run(FixturesApply, file('rejected.yaml'))
      t.equal(refused.exitCode, 4)
      t.match(
        refused.stderr,
        /rejected\.yaml:\d+: organizations\[0\]\.investors\[0\]\.share_purchases\[0\]\.status: the file says rejected, the store says settled/,
      )
      await isUnchanged(t)
    },
  )

  await t.test('a dry run shows each field that would change, and changes nothing', async (t) => {
    const shown = await run(FixturesApply, file('changed.yaml'), '--dry-run')
    t.equal(shown.exitCode, 0)
    const lines = shown.stdout.replaceAll(file('changed'), 'changed').split('\n')
    t.strictSame(
      lines.map((line) => line.replace(/:\d+: |[0-9a-f]{8}-[0-9a-f-]{27}/g, ' # ')),
      [
        'changed.yaml # cooperative sun: share_price 250.00 -> 300.00',
        'changed.yaml # cooperative sun: share_value 250.00 -> 300.00',
        'changed.yaml # investor  # : email changed',
      ],
    )
    t.notMatch(shown.stdout, '@mail')
    await isUnchanged(t)
  })

  await t.test('a dry run with --json has the same data', async (t) => {
    const { json } = await run(FixturesApply, file('changed.yaml'), '--dry-run', '--json')
    t.match(json, { dry_run: true, updated: { investors: 1, cooperatives: 1 } })
    t.match(json.changes[0], {
      at: /changed\.yaml:\d+$/,
      kind: 'cooperative',
      name: 'sun',
      outcome: 'updated',
    })
    t.strictSame(json.changes[0].fields[0], {
      field: 'share_price',
      before: '250.00',
      after: '300.00',
    })
    t.strictSame(json.changes[1].fields, [{ field: 'email', hidden: true }])
    const same = await run(FixturesApply, file('first.yaml'), '--dry-run')
    t.equal(same.stdout, 'Nothing would change.')
  })

  await t.test('staging asks for no confirmation', async (t) => {
    const applied = await run(FixturesApply, file('changed.yaml'), '--json')
    t.match(applied.json, { updated: { investors: 1, cooperatives: 1 } })
    t.notOk('changes' in applied.json)
  })
}

t.test('a dry run creates no store', async (t) => {
  const directory = t.testdir({ data: {}, 'first.yaml': setUp() })
  const data = join(directory, 'data')
  const shown = await runnerOn(data)(FixturesApply, join(directory, 'first.yaml'), '--dry-run')
  t.equal(shown.exitCode, 5)
  t.strictSame(existsSync(data) ? readdirSync(data) : [], [])
})

t.test('production shows the changes, and changes nothing without --yes [D48]', async (t) => {
  const directory = t.testdir({ data: {}, ...files })
  const file = (name: string) => join(directory, name)
  const dataDirectory = join(directory, 'data')
  const production = ['--environment', 'production']
  const serving = await startService(dataDirectory, ...production)
  const run = runnerOn(dataDirectory)
  try {
    t.equal((await run(FixturesApply, file('first.yaml'), ...production)).exitCode, 0)

    await t.test('new records need no --yes', async (t) => {
      const applied = await run(FixturesApply, file('more.yaml'), ...production)
      t.match(applied.stdout, /more\.yaml:\d+: cooperative wind: new/)
      t.match(applied.stdout, /^cooperatives +1 +0 +1$/m)
    })

    await t.test('a change without --yes is refused, and the error says so', async (t) => {
      const before = (await run(FixturesExport, ...production)).stdout
      const refused = await run(FixturesApply, file('changed.yaml'), ...production)
      t.equal(refused.exitCode, 4)
      t.match(refused.stdout, 'share_price 250.00 -> 300.00')
      t.match(refused.stderr, '1 investor and 1 cooperative in production')
      t.match(refused.stderr, '--yes')
      const asData = await run(FixturesApply, file('changed.yaml'), ...production, '--json')
      t.equal(asData.json.error.code, 'CONFIRMATION_REQUIRED')
      t.match(asData.stderr, 'share_price 250.00 -> 300.00')
      t.equal((await run(FixturesExport, ...production)).stdout, before)
    })

    await t.test('--yes applies the changes', async (t) => {
      const applied = await run(
        FixturesApply,
        file('changed.yaml'),
        ...production,
        '--yes',
        '--json',
      )
      t.match(applied.json, { updated: { investors: 1, cooperatives: 1 } })
      t.match(applied.json.changes, exactArrays([{ kind: 'cooperative' }, { kind: 'investor' }]))
    })
  } finally {
    await serving.close()
  }
})

/** Pretends that a person types this at a terminal. */
function terminal(typed: string) {
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const output = Object.assign(new PassThrough(), { isTTY: true })
  input.end(typed)
  return { input, output } as unknown as Parameters<typeof requireYes>[1] & {
    readonly output: PassThrough
  }
}

t.test('at a terminal the command asks, and only "yes" applies the changes [D48]', async (t) => {
  const asked = { question: 'Change 1 investor?', instead: 'Use --yes.' }
  for (const yes of ['y\n', 'yes\n', ' Y \n']) await requireYes(asked, terminal(yes))
  const [interrupt, endOfInput] = ['\u0003', '\u0004']
  for (const no of ['\n', 'n\n', 'no\n', 'yesterday\n', interrupt, endOfInput]) {
    const refused = { code: 'CONFIRMATION_REQUIRED', message: 'Nothing was changed.' }
    await t.rejects(requireYes(asked, terminal(no)), refused, no)
  }
  const shown = terminal('y\n')
  await requireYes(asked, shown)
  shown.output.end()
  t.match(await text(shown.output), 'Change 1 investor? [y/N]')
})
