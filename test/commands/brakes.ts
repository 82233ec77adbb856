import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from '@oclif/core'
import t, { type Test } from 'tap'
import AuditList from '../../commands/audit/list.ts'
import CooperativeSetPrice from '../../commands/cooperative/set-price.ts'
import CooperativeShow from '../../commands/cooperative/show.ts'
import KeyList from '../../commands/key/list.ts'
import KeyRevoke from '../../commands/key/revoke.ts'
import OperatorCreate from '../../commands/operator/create.ts'
import PurchaseApprove from '../../commands/purchase/approve.ts'
import PurchaseConfirm from '../../commands/purchase/confirm.ts'
import PurchaseList from '../../commands/purchase/list.ts'
import PurchaseReject from '../../commands/purchase/reject.ts'
import PurchaseSettle from '../../commands/purchase/settle.ts'
import PurchaseShow from '../../commands/purchase/show.ts'
import WebhookRemove from '../../commands/webhook/remove.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { connectOperator } from '../../fixtures/program/operator-client.ts'
import { fillStore, runCommand, startService } from '../../fixtures/program/run-command.ts'
import { spawnCoopshare } from '../../fixtures/program/serve.ts'
import { withAndWithoutService } from '../../fixtures/program/with-and-without-service.ts'
import { seedOrders } from '../../fixtures/world/seed-orders.ts'

const production = ['--environment', 'production'] as const

t.test('the table of commands that ask has each command with --yes', async (t) => {
  const page = await readFile(join('docs', 'operators', 'daily-work.md'), 'utf8')
  const [, section = ''] = page.split('\n## What asks, ')
  const rows = section.split('\n## ')[0]?.match(/^\| \x60.*?\|/gm) ?? []
  const listed = rows.flatMap((row) =>
    [...row.matchAll(/\x60([a-z -]+)\x60/g)].map(([, name]) => name),
  )
  const { commands } = JSON.parse(await readFile('oclif.manifest.json', 'utf8'))
  const asking = Object.entries<{ flags: object }>(commands)
    .filter(([, { flags }]) => 'yes' in flags)
    .map(([id]) => id.replaceAll(':', ' '))
  t.strictSame(listed.sort(), asking.sort())
})

t.test('in production, an irreversible command without a terminal needs --yes', async (t) => {
  const dataDirectory = join(t.testdir({ data: {} }), 'data')
  const { purchaseIds } = await fillStore(dataDirectory, seedOrders(5), ...production)
  const [first = '', second = '', third = ''] = purchaseIds
  const serving = await startService(dataDirectory, ...production)
  const run = (command: typeof Command, ...argv: string[]) =>
    runCommand(command, ...argv, ...production, '--data-dir', dataDirectory)
  const isRefused = async (t: Test, command: typeof Command, ...argv: string[]) => {
    const { json, exitCode } = await run(command, ...argv, '--json')
    t.strictSame([json.error.code, exitCode], ['CONFIRMATION_REQUIRED', 4], argv.join(' '))
    return json.error.message as string
  }
  try {
    await t.test(
      'a bulk decision shows the number, the total and the times of orders for each cooperative',
      async (t) => {
        const message = await isRefused(t, PurchaseApprove, '--all-submitted')
        t.match(
          message,
          /5 share purchases of 6250\.00 EUR, placed from \d\S+ \d\S+ to \d\S+ \d\S+:$/m,
        )
        t.match(message, /^Solar Allgäu eG +solar-allgaeu +5 +6250\.00 EUR$/m)
        t.equal((await run(PurchaseList, '--status', 'submitted', '--json')).json.length, 5)
        const two = await run(PurchaseApprove, '--all-submitted', '--limit', '2', '--yes', '--json')
        t.match(
          two.json,
          exactArrays([{ share_purchase_id: first }, { share_purchase_id: second }]),
        )
      },
    )

    await t.test('settling or rejecting a single id needs --yes', async (t) => {
      await isRefused(t, PurchaseSettle, first)
      const settled = await run(PurchaseSettle, first, '--yes', '--json')
      t.equal(settled.json.status, 'settled')
      await run(PurchaseApprove, third)
      await isRefused(t, PurchaseReject, third, '--reason', 'The mandate was returned.')
    })

    await t.test('a rejection needs a reason, from a command and over HTTP', async (t) => {
      t.equal((await run(PurchaseReject, third, '--yes')).exitCode, 2)
      const { call } = await connectOperator(dataDirectory)
      const refused = /In production a rejection needs a reason/
      await t.rejects(call('purchase.reject', { share_purchase_id: third }), refused)
      const reason = 'The mandate was returned.'
      const rejected = await run(PurchaseReject, third, '--reason', reason, '--yes', '--json')
      t.match(rejected.json, { status: 'rejected', reason })
    })

    await t.test('removing keys and endpoints needs a confirmation', async (t) => {
      const [{ kid }] = (await run(KeyList, '--json')).json
      await isRefused(t, KeyRevoke, kid)
      await isRefused(t, WebhookRemove, first)
    })
  } finally {
    await serving.close()
  }
})

t.test('the four-eyes rule also holds for commands that open the store themselves', async (t) => {
  const dataDirectory = join(t.testdir({ data: {} }), 'data')
  const { purchaseIds } = await fillStore(dataDirectory, seedOrders(5))
  const [first = '', second = '', third = '', fourth = '', last = ''] = purchaseIds
  t.teardown(() => delete process.env['COOPSHARE_OPERATOR_TOKEN'])
  const run = (command: typeof Command, ...argv: string[]) =>
    runCommand(command, ...argv, '--data-dir', dataDirectory)
  await (await startService(dataDirectory, '--four-eyes', 'reject,settle')).close()
  await run(PurchaseApprove, first, second, third)

  await t.test('the rule of the last service holds for every command', async (t) => {
    const { stdout } = await run(PurchaseSettle, first)
    t.equal(
      stdout,
      `Proposed by local: settle ${first}. Another operator has to confirm it with coopshare purchase confirm.`,
    )
    const many = await run(PurchaseSettle, second, third)
    t.match(many.stderr, 'Proposed 2 share purchases: 2500.00 EUR. 0 failed.')
    await run(PurchaseReject, fourth, '--reason', 'The mandate was returned.')
    const [entry] = (await run(AuditList, '--json')).json.filter(
      ({ operation }: { operation: string }) => operation === 'start',
    )
    t.match(entry.changes, exactArrays([{ after: { four_eyes: ['rejected', 'settled'] } }]))
  })

  await t.test('a list shows proposed decisions, their authors and their times', async (t) => {
    const listed = await run(PurchaseList, '--proposed')
    t.match(listed.stdout, /^ID +PROPOSED +PARTNER +NAME/m)
    t.match(listed.stdout, new RegExp(`^${fourth} +reject by local, \\d+s`, 'm'))
    t.match(listed.stderr, '4 share purchases: 20 shares, 5000.00 EUR.')
    const one = ['--proposed', '--status', 'submitted', '--json']
    const [rejection] = (await run(PurchaseList, ...one)).json
    t.match(rejection, { proposal: { decision: 'reject', operator: 'local' } })
    const shown = (await run(PurchaseShow, fourth)).stdout
    t.match(shown, /^proposed +reject by local at \S+Z: The mandate was returned\.$/m)
  })

  await t.test('a second operator confirms a single proposal or all proposals', async (t) => {
    t.equal((await run(PurchaseConfirm, first)).exitCode, 4, 'not the author')
    const { token } = (await run(OperatorCreate, 'oskar', '--role', 'operator', '--json')).json
    process.env['COOPSHARE_OPERATOR_TOKEN'] = token
    const preview = (await run(PurchaseConfirm, '--all-proposed', '--dry-run')).stdout
    t.match(preview, /^Would confirm 4 share purchases of 5000\.00 EUR, placed from/)
    t.match(preview, new RegExp(`^${second} +settle +local +\\d+s +Demo Bank`, 'm'))
    t.equal((await run(PurchaseConfirm, first)).stdout, `Confirmed ${first}: it is settled.`)
    const all = await run(PurchaseConfirm, '--all-proposed', '--yes')
    t.match(all.stdout, `Confirmed ${fourth}: it is rejected.`)
    t.match(all.stderr, 'Confirmed 3 share purchases: 3750.00 EUR. 0 failed.')
    t.strictSame((await run(PurchaseList, '--proposed', '--json')).json, [])
  })

  await t.test('orders can be listed by the time of their settlement', async (t) => {
    const ids = async (...flags: string[]) =>
      (await run(PurchaseList, ...flags, '--json')).json.map(
        (row: { share_purchase_id: string }) => row.share_purchase_id,
      )
    const settled = await ids('--settled-since', '1h')
    t.strictSame([...settled].sort(), [first, second, third].sort())
    t.equal(settled.at(-1), first, 'the latest settlement first')
    t.strictSame(await ids('--settled-since', '1h', '--sort', 'settled_at', '--limit', '1'), [
      first,
    ])
    t.strictSame(await ids('--settled-since', '1h', '--investor', 'customer-1'), settled)
    t.strictSame(await ids('--settled-until', '1h', '--cooperative', 'solar-allgaeu'), [])
    t.match((await run(PurchaseList, '--settled-since', '1h')).stdout, /TOTAL +SETTLED$/m)
  })

  await t.test('the rule ends when a service is started without the flag', async (t) => {
    delete process.env['COOPSHARE_OPERATOR_TOKEN']
    await (await startService(dataDirectory)).close()
    await run(PurchaseApprove, last)
    t.equal((await run(PurchaseSettle, last)).stdout, `Settled ${last}.`)
  })
})

withAndWithoutService(t, {
  seed: seedOrders(4),
  async test(t, { run, dataDirectory, seed }) {
    const [first = '', second = ''] = seed.purchaseIds

    await t.test('--dry-run shows the decisions and changes nothing', async (t) => {
      const all = await run(PurchaseApprove, '--all-submitted', '--dry-run', '--json')
      t.match(
        all.json,
        exactArrays({
          count: 4,
          total: '5000.00',
          cooperatives: [{ cooperative_key: 'solar-allgaeu', count: 4, total: '5000.00' }],
          share_purchase_ids: seed.purchaseIds,
        }),
      )
      const one = await run(PurchaseApprove, first, '--dry-run')
      t.match(one.stdout, /^Would approve 1 share purchase of 1250\.00 EUR, placed from/)
      t.equal((await run(PurchaseList, '--status', 'submitted', '--json')).json.length, 4)
    })

    await t.test('filters narrow a bulk decision', async (t) => {
      const count = async (...flags: string[]) =>
        (await run(PurchaseApprove, '--all-submitted', '--dry-run', '--json', ...flags)).json.count
      t.equal(await count('--cooperative', 'solar-allgaeu', '--organization', 'Demo Bank'), 4)
      t.equal(await count('--before', '1h'), 0)
      t.equal(await count('--limit', '3'), 3)
      const withIds = await run(PurchaseApprove, first, '--cooperative', 'solar-allgaeu')
      t.equal(withIds.exitCode, 2)
      const nowhere = await run(PurchaseApprove, '--all-submitted', '--cooperative', 'nowhere')
      t.equal(nowhere.exitCode, 3)
    })

    await t.test('ids are read from standard input in the format of a list', async (t) => {
      for (const [format, id] of [
        ['csv', first],
        ['ndjson', second],
      ] as const) {
        const listed = await run(
          PurchaseList,
          '--status',
          'submitted',
          '--sort',
          'created_at',
          '--limit',
          '1',
          '-o',
          format,
        )
        const argv = ['purchase', 'approve', '-', '--json', '--data-dir', dataDirectory]
        const { process, ended } = await spawnCoopshare(argv)
        process.stdin.end(listed.stdout)
        const { stdout, stderr } = await ended
        t.match(JSON.parse(stdout), { share_purchase_id: id, status: 'approved' }, stderr)
      }
      const argv = ['purchase', 'settle', '-', '--data-dir', dataDirectory]
      const { process, ended } = await spawnCoopshare(argv)
      process.stdin.end(`total,share_purchase_id\n1250.00,${first}\n`)
      t.match(await ended, { code: 2, stdout: '', stderr: /ids must be in the first column/ })
    })

    await t.test('a price that changes by more than half needs --yes', async (t) => {
      const price = async () =>
        (await run(CooperativeShow, 'solar-allgaeu', '--json')).json.share_price
      const before = await price()
      const differs = { '2500.00': '900 %', '1.00': '-99.6 %', '0.01': '-99.9 %' }
      for (const [amount, change] of Object.entries(differs)) {
        const refused = await run(CooperativeSetPrice, 'solar-allgaeu', amount, '--json')
        t.equal(refused.json.error.code, 'CONFIRMATION_REQUIRED')
        const said = `costs ${before} EUR. The new price, ${amount} EUR, differs by ${change}.`
        t.match(refused.json.error.message, said)
      }
      for (const amount of ['-5', '0', '99999,00']) {
        const refused = await run(CooperativeSetPrice, 'solar-allgaeu', amount, '--json')
        t.equal(refused.json.error.code, 'VALIDATION_ERROR', amount)
      }
      t.equal(await price(), before)
      const set = await run(CooperativeSetPrice, 'solar-allgaeu', '2500.00', '--yes')
      t.match(set.stdout, `now costs 2500.00 EUR; before: ${before}.`)
    })
  },
})
