import t, { type Test } from 'tap'
import { completeProfile, completeProvision } from '../../fixtures/builders/investors.ts'
import { signingKeyRecord } from '../../fixtures/builders/records.ts'
import { anything } from '../../fixtures/builders/subject.ts'
import {
  applyFixtureFile,
  createEmptyService,
  exportFixtureFile,
} from '../../fixtures/world/fixture-files.ts'
import type { SigningKey } from '../../src/domain/oauth/signing-key.ts'
import { localAdministrator } from '../../src/domain/operators/operator.ts'
import { Problem } from '../../src/domain/problem.ts'
import { machineTime, useTime } from '../../src/machine/time.ts'
import {
  type ApplyInput,
  applyInParts,
  importInParts,
} from '../../src/operations/apply-in-parts.ts'
import { type Output, runOperation } from '../../src/operations/operations.ts'
import { runAs } from '../../src/operations/run-audited.ts'
import type { Store } from '../../src/ports/store.ts'
import { subjects } from '../../src/ports/subjects.ts'
import type { Service } from '../../src/usecases/service.ts'
import { divideFixtures } from '../../src/wire/fixture-parts.ts'

const energy_category = 'solar' as const
const sun = { key: 'sun', name: 'Sonne eG', energy_category, share_price: '100.00' }

type Override = readonly [number: number, fields: object]

/** More investors than one part has. */
function largeFile(...overrides: readonly Override[]) {
  const changed = new Map(overrides)
  const investors = Array.from({ length: 310 }, (_, number) => ({
    ...completeProvision({ partner_customer_ref: `customer-${number}` }),
    ...changed.get(number),
  }))
  return {
    organizations: [
      {
        name: 'Musterbank',
        clients: [{ name: 'full' }],
        webhooks: [{ url: 'https://127.0.0.1/hooks' }],
        investors,
      },
    ],
    cooperatives: [sun],
  }
}

const order = (overrides: object = {}) => ({ cooperative: 'sun', share_count: 5, ...overrides })

/** A store that fails after this number of writes that have changed something. */
function stoppingAfter(store: Store, writes: number): Store {
  let left = writes
  const write: Store['write'] = async (...[subject, work, trail]) => {
    const result = await store.write(
      subject,
      async (records) => {
        const done = await work(records)
        if (left === 0) throw new Problem('SERVICE_UNAVAILABLE', 'The service has stopped.')
        return done
      },
      trail,
    )
    left -= 1
    return result
  }
  const read: Store['read'] = (work) => store.read(work)
  return Object.assign(Object.create(store) as Store, { read, write })
}

const countInvestors = async (service: Service) =>
  (await exportFixtureFile(service)).organizations[0]?.investors?.length ?? 0

t.test('a large file is applied in parts, with the same result as in one write', async (t) => {
  const file = largeFile([3, { share_purchases: [order(), order({ status: 'settled' })] }])
  t.ok(divideFixtures(file).length > 1)
  const service = await createEmptyService({ allowPrivateWebhooks: true })
  const applied = await applyFixtureFile(service, file)
  const { created, updated, unchanged, clients, webhooks } = applied
  t.match(
    { created, updated, unchanged },
    {
      created: {
        organizations: 1,
        clients: 1,
        webhooks: 1,
        cooperatives: 1,
        investors: 310,
        share_purchases: 2,
      },
      updated: { organizations: 0, cooperatives: 0, investors: 0 },
      unchanged: { organizations: 0, cooperatives: 0, investors: 0 },
    },
  )
  t.strictSame([clients.length, webhooks.length], [1, 1])
  const [first] = (await exportFixtureFile(service)).organizations
  t.equal(first.investors.length, 310)
  const again = await applyFixtureFile(service, file)
  t.match(again, {
    created: { organizations: 0, investors: 0, share_purchases: 0 },
    unchanged: { organizations: 1, clients: 1, investors: 310, share_purchases: 2 },
  })
})

/** Calls `onPart` when the store has stored a part of a file. */
function watchingParts(store: Store, onPart: () => void): Store {
  const write: Store['write'] = async (...work) => {
    const result = await store.write(...work)
    const [subject] = work
    if (subject === subjects.fixtures) onPart()
    return result
  }
  const read: Store['read'] = (work) => store.read(work)
  return Object.assign(Object.create(store) as Store, { read, write })
}

t.test('others write between two parts', async (t) => {
  const { store, ...service } = await createEmptyService({ allowPrivateWebhooks: true })
  const file = largeFile()
  const parts = divideFixtures(file)
  const withInvestors = parts.findIndex(({ counted }) => counted.includes('investors'))
  t.ok(parts[withInvestors + 1]?.counted.includes('investors'))
  let partsStored = 0
  let isOver = false
  const watched = watchingParts(store, () => {
    partsStored += 1
  })
  const applying = applyFixtureFile({ ...service, store: watched }, file).finally(() => {
    isOver = true
  })
  const written: SigningKey[] = []
  const partsBefore = new Set<number>()
  let seen: number | undefined
  while (!isOver) {
    const own = signingKeyRecord(`other-${written.length}`)
    await store.write(anything, ({ signingKeys }) => signingKeys.put(own))
    written.push(own)
    partsBefore.add(partsStored)
    if (partsStored > withInvestors) seen ??= await countInvestors({ ...service, store })
    await machineTime.nextTurn()
  }
  await applying
  t.equal(partsStored, parts.length)
  t.ok(partsBefore.has(withInvestors + 1), 'a write between the two parts with investors')
  t.ok(seen && seen >= (parts[withInvestors]?.size ?? 0), 'others see what a part has stored')
  const stored = await store.read(({ signingKeys }) => signingKeys.list())
  t.strictSame(new Set(stored), new Set(written), 'no write of the others is missing')
  t.equal(await countInvestors({ ...service, store }), 310)
})

t.test(
  'after a stop in the middle, whole parts are there, and a repeat adds the others',
  async (t) => {
    const service = await createEmptyService({ allowPrivateWebhooks: true })
    const file = largeFile([305, { share_purchases: [order()] }])
    const parts = divideFixtures(file)
    const stopped = { ...service, store: stoppingAfter(service.store, 3) }
    await t.rejects(applyFixtureFile(stopped, file), {
      code: 'SERVICE_UNAVAILABLE',
      message: `The service has stopped. 3 of ${parts.length} parts are applied. To apply the others, apply the same files again.`,
    })
    const [{ investors, clients = [] }] = (await exportFixtureFile(service)).organizations
    t.equal(investors.length, parts[2]?.size)
    t.strictSame(clients, [], 'a partner gets access only to complete data')
    const repeated = await applyFixtureFile(service, file)
    t.match(repeated, {
      created: { organizations: 0, cooperatives: 0, clients: 1, webhooks: 1, share_purchases: 1 },
      unchanged: { organizations: 1, cooperatives: 1, investors: parts[2]?.size },
    })
    t.equal(await countInvestors(service), 310)
  },
)

t.test('the last part can refuse the whole file [D48]', async (t) => {
  const service = await createEmptyService({ allowPrivateWebhooks: true })
  await applyFixtureFile(service, {
    ...largeFile(),
    organizations: [
      {
        name: 'Musterbank',
        investors: [
          {
            ...completeProvision({ partner_customer_ref: 'customer-309' }),
            share_purchases: [order({ status: 'settled' })],
          },
        ],
      },
    ],
  })
  const before = await exportFixtureFile(service)
  const file = largeFile([309, { share_purchases: [order({ status: 'rejected' })] }])
  await t.rejects(applyFixtureFile(service, file), {
    code: 'VALIDATION_ERROR',
    extra: {
      errors: {
        'organizations.0.investors.309.share_purchases.0.status':
          'the file says rejected, the store says settled',
      },
    },
  })
  t.strictSame(await exportFixtureFile(service), before)
})

t.test('a refusal lists the errors of all parts, with the paths of the file [D15]', async (t) => {
  const service = await createEmptyService()
  const unknown = { share_purchases: [order({ cooperative: 'moon' })] }
  const file = largeFile([1, { email: 'nobody' }], [304, unknown])
  const refused: Problem = await applyFixtureFile(service, file).catch((error) => error)
  t.strictSame(Object.keys(refused.extra.errors ?? {}), [
    'organizations.0.investors.1.email',
    'organizations.0.investors.304.share_purchases.0.cooperative',
  ])
})

const iban = (text: string) => ({ profile: completeProfile({ bank_account: { iban: text } }) })
const mandate = { sepa_mandate: { reference: 'M-1' } }
const contradictions: readonly (readonly [
  title: string,
  overrides: readonly Override[],
  path: string,
])[] = [
  [
    'the same reference of an investor',
    [[309, { partner_customer_ref: 'customer-2' }]],
    '309.partner_customer_ref',
  ],
  [
    'the same id of an investor',
    [2, 309].map((number) => [number, { investor_id: '00000000-0000-4000-8000-000000000001' }]),
    '309.investor_id',
  ],
  [
    'the same id of an order',
    [2, 309].map((number) => [
      number,
      { share_purchases: [order({ share_purchase_id: '00000000-0000-4000-8000-000000000001' })] },
    ]),
    '309.share_purchases.0.share_purchase_id',
  ],
  [
    'a mandate of two accounts',
    [
      [2, { share_purchases: [order(mandate)] }],
      [309, { ...iban('DE02120300000000202051'), share_purchases: [order(mandate)] }],
    ],
    '309.share_purchases.0.sepa_mandate.reference',
  ],
]

for (const [title, overrides, path] of contradictions) {
  t.test(`parts that contradict each other are refused: ${title} [D48]`, async (t) => {
    const service = await createEmptyService({ allowPrivateWebhooks: true })
    const refused: Problem = await applyFixtureFile(service, largeFile(...overrides)).catch(
      (error) => error,
    )
    t.strictSame(Object.keys(refused.extra.errors ?? {}), [`organizations.0.investors.${path}`])
    t.equal(await countInvestors(service), 0)
  })
}

t.test('a mandate of two accounts is also refused within a part [D4]', async (t) => {
  const service = await createEmptyService()
  const investors = [
    { ...completeProvision(), share_purchases: [order(mandate)] },
    {
      ...completeProvision({ partner_customer_ref: 'customer-2' }),
      ...iban('DE02120300000000202051'),
      share_purchases: [order(mandate)],
    },
  ]
  const file = { organizations: [{ name: 'Musterbank', investors }], cooperatives: [sun] }
  const refused: Problem = await applyFixtureFile(service, file).catch((error) => error)
  t.strictSame(Object.keys(refused.extra.errors ?? {}), [
    'organizations.0.investors.1.share_purchases.0.sepa_mandate.reference',
  ])
})

t.test('a dry run of a large file shows every change once, and stores nothing', async (t) => {
  const service = await createEmptyService({ allowPrivateWebhooks: true })
  const file = largeFile([309, { share_purchases: [order()] }])
  const shown = await applyFixtureFile(service, { ...file, dry_run: true })
  const paths: string[] = shown.changes.map(({ path }: { path: string }) => path)
  t.equal(paths.length, new Set(paths).size)
  t.strictSame(paths.slice(0, 3), [
    'cooperatives.0',
    'organizations.0',
    'organizations.0.investors.0',
  ])
  t.strictSame(paths.slice(-4), [
    'organizations.0.investors.309',
    'organizations.0.investors.309.share_purchases.0',
    'organizations.0.clients.0',
    'organizations.0.webhooks.0',
  ])
  t.strictSame(await exportFixtureFile(service), { organizations: [], cooperatives: [] })
})

t.test('a repeated file adds a single entry to the audit', async (t) => {
  const service = await createEmptyService({ allowPrivateWebhooks: true })
  const caller = { operator: localAdministrator, via: 'command', requestId: 'test' } as const
  const count = () => service.store.read(({ auditEntries }) => auditEntries.count())
  // A command sends each part on its own.
  const apply = (part: ApplyInput) =>
    runAs(service, caller, 'fixtures.apply', part) as Promise<Output<'fixtures.apply'>>
  await applyInParts(largeFile() as ApplyInput, apply)
  const before = await count()
  await applyInParts(largeFile() as ApplyInput, apply)
  t.equal(await count(), before + 1)
})

t.test('investors get no e-mails about the orders of a file', async (t) => {
  const service = await createEmptyService()
  const investors = [
    { ...completeProvision(), share_purchases: [order(), order({ status: 'approved' })] },
  ]
  const organizations = [{ name: 'Musterbank', investors }]
  await applyFixtureFile(service, { organizations, cooperatives: [sun] })
  const orders = (await runOperation(service, 'purchase.list', {})) as Output<'purchase.list'>
  const mailed = async () => {
    const events = await service.store.read(({ events }) => events.list({}))
    return events.filter(({ deliveryIds }) => deliveryIds.length > 0).length
  }
  t.equal(await mailed(), 0)
  const [one] = orders
  await runOperation(service, 'purchase.cancel', { share_purchase_id: one?.share_purchase_id })
  t.equal(await mailed(), 1, 'later decisions have their e-mail')
})

/** Counts the turns that the service leaves to others. */
function countTurnsLeft(t: Test) {
  const left = { turns: 0 }
  useTime({
    ...machineTime,
    nextTurn: () => {
      left.turns += 1
      return machineTime.nextTurn()
    },
  })
  t.teardown(() => useTime(machineTime))
  return left
}

t.test('a part lets others have their turn after a few orders', async (t) => {
  const service = await createEmptyService()
  const share_purchases = Array.from({ length: 100 }, () => order())
  const organizations = [
    { name: 'Musterbank', investors: [{ ...completeProvision(), share_purchases }] },
  ]
  const left = countTurnsLeft(t)
  await applyFixtureFile(service, { organizations, cooperatives: [sun] })
  t.ok(left.turns >= 100, 'one turn for each order')
})

t.test('a catalogue lets others have their turn in each of its steps', async (t) => {
  const service = await createEmptyService()
  const cooperatives = Array.from({ length: 1000 }, (_, number) => ({
    ...sun,
    key: `sun-${number}`,
  }))
  const left = countTurnsLeft(t)
  await runOperation(service, 'cooperative.import', { cooperatives })
  const stored = 1000 / 10
  const definedAndCompared = 2 * (1000 / 50)
  t.ok(left.turns >= stored + definedAndCompared, `${left.turns} turns`)
})

/** Their images make more than one part. */
function largeCatalogue(...overrides: readonly Override[]): ApplyInput['cooperatives'] & object {
  const changed = new Map(overrides)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(900_000)}</svg>`
  const hero_image = { content_type: 'image/svg+xml', base64: Buffer.from(svg).toString('base64') }
  return Array.from({ length: 6 }, (_, number) => {
    const own = { ...sun, key: `sun-${number}`, name: `Sonne ${number} eG` }
    return { ...own, hero_image, ...changed.get(number) }
  })
}

async function importLarge(service: Service, ...overrides: readonly Override[]) {
  let parts = 0
  const call = (input: object) => {
    parts += 1
    return runOperation(service, 'cooperative.import', input) as Promise<
      Output<'cooperative.import'>
    >
  }
  const imported = await importInParts({ cooperatives: largeCatalogue(...overrides) }, call)
  return { ...imported, parts }
}

const countCooperatives = ({ store }: Service) =>
  store.read(async ({ cooperatives }) => (await cooperatives.list()).length)

t.test('a catalogue with large images is imported in parts', async (t) => {
  const service = await createEmptyService()
  const { parts, ...first } = await importLarge(service)
  t.ok(parts > 2, `${parts} calls`)
  t.match(first, { created: 6, updated: 0, unchanged: 0 })
  t.equal(first.cooperatives.length, 6)
  t.match(await importLarge(service), { created: 0, updated: 0, unchanged: 6 })
})

const id = '00000000-0000-4000-8000-000000000001'
const project = { id, name: 'Dach', type: 'photovoltaics', energy_category }
const refusedCatalogues: readonly (readonly [string, readonly Override[], string])[] = [
  [
    'two parts with the same project',
    [0, 5].map((number) => [number, { projects: [project] }]),
    'cooperatives.5.projects.0',
  ],
  [
    'an image of the last part',
    [[5, { hero_image: { content_type: 'image/svg+xml', base64: 'no' } }]],
    'cooperatives.5.hero_image',
  ],
]

for (const [title, overrides, path] of refusedCatalogues) {
  t.test(`a catalogue is checked as a whole before a part is imported: ${title}`, async (t) => {
    const service = await createEmptyService()
    const refused: Problem = await importLarge(service, ...overrides).catch((error) => error)
    t.strictSame(Object.keys(refused.extra.errors ?? {}), [path])
    t.equal(await countCooperatives(service), 0)
  })
}
