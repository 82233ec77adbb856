import t, { type Test } from 'tap'
import EventList from '../../commands/event/list.ts'
import EventPurge from '../../commands/event/purge.ts'
import EventReplay from '../../commands/event/replay.ts'
import EventShow from '../../commands/event/show.ts'
import WebhookRemove from '../../commands/webhook/remove.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { fillStore, startService } from '../../fixtures/program/run-command.ts'
import {
  type CommandContext,
  runnerOn,
  withAndWithoutService,
} from '../../fixtures/program/with-and-without-service.ts'
import { recordingLogger } from '../../fixtures/world/recorders.ts'
import { type SeededEvents, seedEvents } from '../../fixtures/world/seed-events.ts'
import { seedOrders } from '../../fixtures/world/seed-orders.ts'
import { deriveEventId } from '../../src/domain/webhooks/event.ts'
import { updateOrganization } from '../../src/usecases/organizations/organizations.ts'
import type { Service } from '../../src/usecases/service.ts'
import { Dispatcher } from '../../src/usecases/webhooks/dispatcher.ts'

const variable = 'COOPSHARE_ALLOW_PRIVATE_WEBHOOKS'
process.env[variable] = 'true'
t.teardown(() => delete process.env[variable])

withAndWithoutService(t, { seed: seedEvents, test })

const unknown = '7c9e6679-7425-50de-944b-e07fc1f90ae7'

async function test(t: Test, { run, seed }: CommandContext<SeededEvents>): Promise<void> {
  const [approved, settled] = seed.dead
  const [order = ''] = seed.purchaseIds
  const listed = async (...flags: string[]) => (await run(EventList, ...flags, '--json')).json

  await t.test('a list of events is filtered by state, organization, type and time', async (t) => {
    const all = await listed('--sort', 'created_at')
    t.strictSame(all.toReversed(), await listed(), 'newest first')
    t.equal(all.length, 4)
    t.match(all[2], {
      event_id: approved,
      type: 'share_purchase.approved',
      share_purchase_id: order,
      state: 'dead',
      attempts: 6,
    })
    t.match(
      await listed('--state', 'dead'),
      exactArrays([{ event_id: settled }, { event_id: approved }]),
    )
    t.equal((await listed('--state', 'none', '--organization', 'Demo Bank')).length, 2)
    t.equal((await listed('--type', 'share_purchase.settled')).length, 1)
    t.equal((await listed('--limit', '3')).length, 3)
    t.equal((await listed('--since', '1h')).length, 4)
    t.equal((await listed('--until', '1h')).length, 0)
    t.equal((await listed('--until', '2026-01-01T00:00Z')).length, 0)
    t.equal((await listed('--since', all[2].created_at)).length, 2)
    for (const [time, fault] of [
      ['2026-02-29T00:00:00Z', 'must be on an existing day'],
      ['1800-01-01T00:00:00Z', 'must be between 1900-01-01 and 9999-12-31'],
      ['yesterday', 'must be a timestamp with an offset, such as 2026-03-31T09:30:00+02:00'],
    ]) {
      const { stderr } = await run(EventList, '--since', `${time}`)
      const text = stderr.replace(/\s+/g, ' ')
      t.match(
        text,
        `"${time}" ${fault}. You can also use a date such as 2026-03-31, or a time ago, for example 2h.`,
      )
    }
    const [today, utc] = [all[0].created_at.slice(0, 10), '--utc']
    t.equal((await listed('--until', today, utc)).length, 0, 'a date is the beginning of a day')
    t.equal((await listed('--since', today, utc)).length, 4)
    t.match(
      (await run(EventList)).stdout,
      /^ID +TYPE +STATE +ATTEMPTS +SHARE PURCHASE +PARTNER +AGE$/m,
    )
  })

  await t.test('the short id in a table is enough', async (t) => {
    for (const short of [approved?.slice(0, 8), `${approved?.slice(0, 8)}…`]) {
      t.equal((await run(EventShow, `${short}`, '--json')).json.event_id, approved)
      const planned = await run(EventReplay, `${short}`, '--dry-run', '--json')
      t.equal(planned.json.event_id, approved)
    }
    t.match((await run(EventShow, '00000000')).stderr, '00000000')
  })

  await t.test('event show prints everything about an event', async (t) => {
    const { json } = await run(EventShow, approved, '--json')
    t.match(
      json,
      exactArrays({
        event_id: approved,
        state: 'dead',
        transition: { from: 'submitted', to: 'approved' },
        deliveries: [{ webhook_endpoint_id: seed.webhookEndpointId, state: 'dead' }],
        attempts: Array(6).fill({ failure: 'connect', address: '127.0.0.1', status: null }),
      }),
    )
    const page = (await run(EventShow, approved)).stdout
    t.match(page, /^transition +submitted -> approved$/m)
    t.match(page, `"share_purchase_id": "${order}"`)
    t.match(page, /^Webhook http:\S+ \(\S+\)\ndead: all attempts failed\nAT +ADDRESS/m)
    t.equal(page.match(/^\S+Z +127\.0\.0\.1 +connect +- +\d+ ms +No connection/gm)?.length, 6)
    t.match(page, /^E-mail to the investor\n/m)
    const untold = (await run(EventShow, seed.untold)).stdout
    t.match(untold, /^transition +placed -> submitted$/m)
    t.notMatch(untold, /^Webhook/m)
  })

  await t.test('a dry run of a replay changes nothing', async (t) => {
    const dry = await run(EventReplay, '--dead', '--since', '1h', '--dry-run', '--json')
    t.equal(dry.exitCode, 0)
    t.match(
      dry.json,
      exactArrays({
        dry_run: true,
        before: { dead: 2, none: 2 },
        after: { dead: 0, pending: 2, none: 2 },
        events: [
          { event_id: approved, replayed: 1, attempts: 6, state: 'dead', state_after: 'pending' },
          {},
        ],
      }),
    )
    const people = await run(EventReplay, settled, '--dry-run')
    t.match(people.stdout, `Would replay ${settled} (share_purchase.settled): 1 delivery.`)
    t.match(people.stdout, /^dead +2 +1$/m, 'and the planned replays')
    t.equal((await listed('--state', 'dead')).length, 2)
  })

  await t.test('a replay tries all ids, and the exit code is 3 if one was not found', async (t) => {
    const replayed = await run(
      EventReplay,
      ...[unknown, seed.untold, settled, settled.toUpperCase(), '--json'],
    )
    t.equal(replayed.exitCode, 3)
    t.match(
      replayed.json,
      exactArrays([
        { event_id: seed.untold, replayed: 0, state: 'none' },
        { event_id: settled, replayed: 1, state: 'pending' },
        { event_id: unknown, error: { code: 'EVENT_NOT_FOUND' } },
      ]),
    )
    t.match(
      replayed.stderr,
      `Not replayed ${seed.untold} (share_purchase.submitted): there was no `,
    )
    t.match(replayed.stderr, `There is no event "${unknown}"`)
  })

  await t.test('a replay by filter shows the counts before and after', async (t) => {
    const replayed = await run(EventReplay, '--dead', '--organization', 'Demo Bank')
    t.equal(replayed.exitCode, 0)
    t.match(replayed.stdout, `Replayed ${approved} (share_purchase.approved): 1 delivery.`)
    t.notMatch(replayed.stdout, settled, 'it is not dead any more')
    t.match(replayed.stdout, /^EVENTS +BEFORE +AFTER$/m)
    t.match(replayed.stdout, /^pending +1 +2$/m)
    t.match(replayed.stdout, /^dead +1 +0$/m)
    const nothing = await run(EventReplay, '--dead')
    t.match(nothing.stdout, 'Nothing to do.')
    const one = await run(EventReplay, approved, '--json')
    const leftAlone = { event_id: approved, replayed: 0, left_alone: 'under_way' }
    t.match(one.json, leftAlone, 'one id prints the event itself')
  })

  await t.test('a replay says why it skips an event [D34]', async (t) => {
    await run(WebhookRemove, seed.webhookEndpointId)
    const removed = await run(EventReplay, approved)
    t.equal(removed.exitCode, 0)
    t.match(
      removed.stdout,
      /Not replayed .*: its endpoint was removed, and events are not sent to other endpoints/,
    )
    const { json } = await run(EventReplay, '--dead', '--dry-run', '--json')
    t.match(
      json.events,
      exactArrays([{ replayed: 0, left_alone: 'endpoint_removed', state_after: 'dead' }, {}]),
    )
    t.same(json.after, json.before)
  })

  await t.test('an unknown event has exit code 3, and wrong usage has exit code 2', async (t) => {
    for (const command of [EventShow, EventReplay]) {
      const missing = await run(command, unknown, '--json')
      t.equal(missing.exitCode, 3)
      t.equal(missing.json.error.code, 'EVENT_NOT_FOUND')
    }
    t.equal((await run(EventList, '--organization', 'Nobody')).exitCode, 3)
    for (const flags of [
      [],
      ['--limit', '5'],
      [approved, '--since', '1h'],
      [approved, '--limit', '1'],
    ]) {
      const wrong = await run(EventReplay, ...flags)
      t.equal(wrong.exitCode, 2, flags.join(' '))
    }
    for (const time of ['yesterday', '2026-02-30', '5w']) {
      t.equal((await run(EventList, '--since', time)).exitCode, 2, time)
    }
  })
}

t.test('dead e-mails can be found and sent again together', async (t) => {
  const dataDirectory = t.testdir()
  const run = runnerOn(dataDirectory)
  await fillStore(dataDirectory, seedDeadMails)
  t.equal((await run(EventList, '--state', 'dead', '--json')).json.length, 0)
  const dead = (await run(EventList, '--state', 'dead', '--mail', '--json')).json
  t.match(dead, exactArrays([{ state: 'none' }, { state: 'none' }]))
  const one = await run(EventList, '--state', 'dead', '--mail', '--limit', '1', '--json')
  t.same(one.json, dead.slice(0, 1))
  const settled = ['--type', 'share_purchase.settled']
  t.same((await run(EventList, '--state', 'dead', '--mail', ...settled, '--json')).json, [])
  const replayed = await run(EventReplay, '--dead', '--mail', '--json')
  t.match(replayed.json.events, exactArrays([{ replayed: 1 }, { replayed: 1 }]))
  t.same((await run(EventList, '--state', 'dead', '--mail', '--json')).json, [])
  const { mail } = (await run(EventShow, dead[0].event_id, '--json')).json
  t.match(mail, { state: 'pending', dead_because: null })
  const again = await run(EventReplay, dead[0].event_id, '--dead', '--mail')
  t.match(again.stdout, /Not replayed .*: it is still being delivered/)
  for (const wrong of [['--mail'], ['--mail', '--state', 'pending']]) {
    t.equal((await run(EventList, ...wrong)).exitCode, wrong.length === 1 ? 2 : 4)
  }
  t.equal((await run(EventReplay, '--mail')).exitCode, 2)
})

/**
 * Makes two orders with dead e-mails. The e-mails are dead because the service had e-mails off for
 * a time.
 */
async function seedDeadMails(service: Service): Promise<void> {
  const { organizationId: organization } = await seedOrders(2)(service)
  await updateOrganization(service, { organization, investorMail: false })
  await new Dispatcher(service, { logger: recordingLogger() }).dispatchDue()
  await updateOrganization(service, { organization, investorMail: true })
}

t.test(
  'the earlier event of an order is replayed first, in whatever sequence the ids are given',
  async (t) => {
    const dataDirectory = t.testdir()
    const run = runnerOn(dataDirectory)
    const { dead } = await fillStore(dataDirectory, seedEvents)
    await run(EventReplay, ...dead.toReversed(), '--json')
    const states: string[] = []
    for (const id of dead) {
      const { json } = await run(EventShow, id, '--json')
      states.push(json.deliveries[0].state)
    }
    t.strictSame(states, ['pending', 'waiting'])
    const [due = ''] = dead
    const page = (await run(EventShow, due)).stdout
    t.match(
      page,
      /^pending: due since \S+Z\nThe delivery is being sent, or the service is not running or /m,
    )
  },
)

t.test('event purge removes finished events, and with --dead also dead events [D37]', async (t) => {
  const dataDirectory = t.testdir()
  const { dead, untold } = await fillStore(dataDirectory, seedEvents)
  const run = runnerOn(dataDirectory)
  const purge = async (...flags: string[]) => (await run(EventPurge, ...flags, '--json')).json
  t.equal((await run(EventPurge)).exitCode, 2, 'not everything because a time was left out')
  t.same(await purge('--before', '1h'), { dry_run: false, events: 0, deliveries: 0 })
  t.same(await purge('--before', '0s', '--dead', '--dry-run'), {
    dry_run: true,
    events: 4,
    deliveries: 6,
  })
  const other = await run(EventPurge, '--before', '0s', '--organization', 'Nobody')
  t.equal(other.exitCode, 3)
  t.equal((await run(EventShow, untold)).exitCode, 0)
  t.equal((await run(EventPurge, '--before', '0s')).stdout, 'Removed 2 events with 2 deliveries.')
  const gone = await run(EventShow, untold, '--json')
  t.equal(gone.exitCode, 3)
  t.match(gone.json.error, { code: 'EVENT_NOT_FOUND', message: /may have been purged/ })
  t.equal((await run(EventReplay, untold)).exitCode, 3)
  t.equal((await run(EventShow, dead[0])).exitCode, 0, 'dead ones stay')
  const serving = await startService(dataDirectory)
  try {
    t.same(await purge('--before', '0s', '--dead'), { dry_run: false, events: 2, deliveries: 4 })
  } finally {
    await serving.close()
  }
  t.same((await run(EventList, '--json')).json, [])
})

t.test('event purge asks for confirmation in production', async (t) => {
  delete process.env[variable]
  const dataDirectory = t.testdir()
  const { untold } = await fillStore(dataDirectory, seedOrderInProduction, ...production)
  const run = runnerOn(dataDirectory)
  const purge = ['--before', '0s', ...production]
  const asked = await run(EventPurge, ...purge)
  t.equal(asked.exitCode, 4)
  t.match(asked.stderr.replaceAll(/\s+/g, ' '), /removes 1 event with 1 delivery in production/)
  t.equal((await run(EventShow, untold, ...production)).exitCode, 0, 'nothing was changed')
  t.match((await run(EventPurge, ...purge, '--dry-run')).stdout, 'Would remove 1 event')
  t.match((await run(EventPurge, ...purge, '--yes')).stdout, 'Removed 1 event')
})

const production = ['--environment', 'production']

async function seedOrderInProduction(service: Service) {
  const { purchaseIds } = await seedOrders(1)(service)
  await new Dispatcher(service, { logger: recordingLogger() }).dispatchDue()
  return { untold: deriveEventId(purchaseIds[0] ?? '', 'submitted') }
}
