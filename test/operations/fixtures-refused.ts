import t from 'tap'
import { completeProfile, completeProvision } from '../../fixtures/builders/investors.ts'
import {
  applyFixtureFile,
  buildFixtureFile,
  createEmptyService,
  exportFixtureFile,
} from '../../fixtures/world/fixture-files.ts'

interface Row {
  readonly title: string
  /** The fields to change in the second organization. */
  readonly organization?: unknown
  readonly cooperative?: unknown
  readonly code?: string
  readonly path: string
}

const place = 'organizations.1.investors.0'

function investor(overrides: Record<string, unknown>): unknown {
  const base = completeProvision({ partner_customer_ref: 'customer-2' })
  return { name: 'Zweitbank', investors: [{ ...base, ...overrides }] }
}

function orders(...share_purchases: readonly unknown[]): unknown {
  return investor({ share_purchases })
}

const other = {
  key: 'wind',
  name: 'Wind eG',
  energy_category: 'wind',
  share_price: '50.00',
  minimum_shares: 3,
}

const rows: readonly Row[] = [
  {
    title: 'an IBAN with a wrong checksum',
    organization: investor({
      profile: completeProfile({ bank_account: { iban: 'DE00500105170648489890' } }),
    }),
    path: `${place}.profile.bank_account.iban`,
  },
  {
    title: 'a consent for a company without a company',
    organization: investor({
      profile: completeProfile({
        consents: { ...completeProfile().consents, representation_authorization: { given: true } },
      }),
    }),
    path: `${place}.profile.consents.representation_authorization.given`,
  },
  {
    title: 'a text that is not an e-mail address',
    organization: investor({ email: 'nobody' }),
    path: `${place}.email`,
  },
  {
    title: 'an order for an unknown cooperative',
    organization: orders({ cooperative: 'moon', share_count: 5 }),
    path: `${place}.share_purchases.0.cooperative`,
  },
  {
    title: 'an order below the minimum of shares',
    organization: orders({ cooperative: 'wind', share_count: 1 }),
    path: `${place}.share_purchases.0.share_count`,
  },
  {
    title: 'an order of an investor with an incomplete profile',
    organization: investor({
      profile: null,
      share_purchases: [{ cooperative: 'sun', share_count: 5 }],
    }),
    code: 'INVESTOR_PROFILE_INCOMPLETE',
    path: `${place}.share_purchases.0`,
  },
  {
    title: 'an order whose mandate was signed in the future',
    organization: orders({
      cooperative: 'sun',
      share_count: 5,
      sepa_mandate: { signed_at: '2099-01-01T00:00:00Z' },
    }),
    path: `${place}.share_purchases.0.sepa_mandate.signed_at`,
  },
  {
    title: 'a client with neither name nor id',
    organization: { name: 'Zweitbank', clients: [{}] },
    path: 'organizations.1.clients.0.name',
  },
  {
    title: 'a reason of an order that was not rejected',
    organization: orders({ cooperative: 'sun', share_count: 5, reason: 'Zu spät.' }),
    path: `${place}.share_purchases.0`,
  },
  {
    title: 'an unknown key',
    organization: { name: 'Zweitbank', clients: [{ name: 'a', scops: [] }] },
    path: 'organizations.1.clients.0.scops',
  },
  {
    title: 'a repeated cooperative',
    cooperative: { ...other, key: 'sun' },
    path: 'cooperatives.1.key',
  },
]

t.test('a file with any error changes nothing', async (t) => {
  for (const { title, organization, cooperative = other, code, path } of rows) {
    const service = await createEmptyService()
    const setUp = {
      organizations: [...buildFixtureFile().organizations, ...(organization ? [organization] : [])],
      cooperatives: [...buildFixtureFile().cooperatives, cooperative],
    }
    await t.rejects(
      applyFixtureFile(service, setUp),
      { code: code ?? 'VALIDATION_ERROR', extra: { errors: { [path]: String } } },
      title,
    )
    t.strictSame(await exportFixtureFile(service), { organizations: [], cooperatives: [] }, title)
  }
})

t.test('an id of another record is refused', async (t) => {
  const service = await createEmptyService()
  await applyFixtureFile(service, buildFixtureFile())
  const before = await exportFixtureFile(service)
  const [{ organization_id, clients, investors }] = before.organizations
  const [{ investor_id, share_purchases }] = investors
  const { client_id } = clients[0]
  const { share_purchase_id } = share_purchases[0]
  const mine = (one: Record<string, unknown>) => ({ name: 'Musterbank', ...one })
  const theirs = (one: Record<string, unknown>) => ({ name: 'Zweitbank', ...one })
  const order = { cooperative: 'sun', share_count: 1, share_purchase_id }
  const rows: readonly [string, unknown, string][] = [
    ['the id of an organization', theirs({ organization_id }), 'organization_id'],
    ['changed', mine({ organization_id: investor_id }), 'organization_id'],
    ['the id of a client', theirs({ clients: [{ client_id }] }), 'clients.0.client_id'],
    [
      'the id of an investor of another organization',
      theirs({ investors: [completeProvision({ investor_id })] }),
      'investors.0',
    ],
    [
      'the id of an investor',
      mine({ investors: [completeProvision({ investor_id, partner_customer_ref: 'customer-2' })] }),
      'investors.0.investor_id',
    ],
    [
      "changed, an investor's",
      mine({ investors: [completeProvision({ investor_id: organization_id })] }),
      'investors.0.investor_id',
    ],
    [
      'the id of an order',
      theirs({ investors: [completeProvision({ share_purchases: [order] })] }),
      'investors.0.share_purchases.0.share_purchase_id',
    ],
  ]
  for (const [title, organization, path] of rows) {
    const errors = { [`organizations.0.${path}`]: String }
    const rejected = { code: 'VALIDATION_ERROR', extra: { errors } }
    await t.rejects(applyFixtureFile(service, { organizations: [organization] }), rejected, title)
    t.strictSame(await exportFixtureFile(service), before, title)
  }
})

t.test('a third active secret is refused', async (t) => {
  const service = await createEmptyService()
  const withSecret = (client_secret: string) => ({
    organizations: [{ name: 'Musterbank', clients: [{ name: 'full', client_secret }] }],
  })
  await applyFixtureFile(service, withSecret('first'))
  await applyFixtureFile(service, withSecret('second'))
  await t.rejects(applyFixtureFile(service, withSecret('third')), {
    code: 'SECRET_LIMIT_REACHED',
    extra: { errors: { 'organizations.0.clients.0': String } },
  })
})

t.test('a single refusal has faults of every kind in profiles and orders [D15]', async (t) => {
  const service = await createEmptyService()
  const profile = {
    ...completeProfile({
      birth_date: '2999-01-01',
      bank_account: { iban: 'DE13500105170648489890' },
    }),
    address: { street: 'Sonnenallee', house_number: '1', postal_code: '87435' },
  }
  const signed = {
    cooperative: 'sun',
    share_count: 5,
    sepa_mandate: { signed_at: '2999-01-01T00:00:00Z' },
  }
  const sound = completeProvision({
    partner_customer_ref: 'customer-3',
    share_purchases: [signed, signed],
  })
  const unsound = {
    ...completeProvision(),
    profile,
    share_purchases: [{ ...signed, share_count: 0 }],
  }
  const refused = (...investors: unknown[]) =>
    applyFixtureFile(service, { organizations: [{ name: 'Zweitbank', investors }] } as never).then(
      () => [],
      (error) =>
        Object.keys(error.extra.errors).map((path) => path.replace('organizations.0.', '')),
    )
  t.strictSame(await refused(unsound, sound), [
    'investors.0.profile.address.city',
    'investors.0.share_purchases.0.share_count',
    'investors.0.profile.birth_date',
    'investors.0.profile.bank_account.iban',
    'investors.0.share_purchases.0.sepa_mandate.signed_at',
    'investors.1.share_purchases.0.sepa_mandate.signed_at',
    'investors.1.share_purchases.1.sepa_mandate.signed_at',
  ])
  t.strictSame(
    await refused(sound),
    [
      'investors.0.share_purchases.0.sepa_mandate.signed_at',
      'investors.0.share_purchases.1.sepa_mandate.signed_at',
    ],
    'faults of the meaning if every shape fits',
  )
  const many = Array.from({ length: 40 }, () => ({ ...signed, share_count: 0 }))
  t.equal((await refused({ ...sound, share_purchases: many })).length, 50, 'up to fifty faults')
})
