import t, { type Test } from 'tap'
import EventList from '../../commands/event/list.ts'
import KeyList from '../../commands/key/list.ts'
import OrganizationCreate from '../../commands/organization/create.ts'
import OrganizationList from '../../commands/organization/list.ts'
import PurchaseList from '../../commands/purchase/list.ts'
import { listCommands, loadCommand } from '../../fixtures/program/commands.ts'
import {
  type CommandContext,
  noSeed,
  withAndWithoutService,
} from '../../fixtures/program/with-and-without-service.ts'
import { type Asked, showList } from '../../src/cli/list-output.ts'
import { type Columns, renderFields, renderTable, renderTableInParts } from '../../src/cli/table.ts'

withAndWithoutService(t, { seed: noSeed, test })

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, number) => ({ name: `n-${number}`, total: `${number}.00` }))

t.test(
  'a long list is sorted by the store, or only if it is short enough to be read',
  async (t) => {
    const asked: unknown[] = []
    const show = async (rows: number, sorts: readonly string[] | undefined, sort: string) => {
      const shown: string[] = []
      const read = async ({ limit, ...order }: Asked) => {
        asked.push({ limit, ...order })
        return rowsOf(rows).slice(0, limit)
      }
      const output = { format: 'csv', isTable: false, keys: ['total'], sort, limit: 2 } as const
      await showList(
        { ...output, chosen: undefined, filters: [] },
        { read, columns: {}, empty: '', ...(sorts && { sorts }) },
        {
          show: async (parts) => {
            for await (const part of parts) shown.push(part)
          },
          tell: () => {},
          rest: async () => {},
        },
      )
      return shown.join('\n')
    }
    t.equal(await show(1000, ['created_at'], '-total'), 'total\n999.00\n998.00')
    await t.rejects(show(5000, ['created_at'], '-total'), {
      message: /more than 1,000 rows\. .*sorting them by total would read all rows\. Add filters/,
    })
    t.strictSame(asked, [{ limit: 1001 }, { limit: 1001 }], 'the other rows are not read')
    t.equal(await show(5000, undefined, '-total'), 'total\n4999.00\n4998.00')
  },
)

async function test(t: Test, { run }: CommandContext<unknown>): Promise<void> {
  await t.test('an empty list says what to do next, or which filter to leave out', async (t) => {
    const lists = [
      ...['audit', 'client', 'cooperative', 'event', 'investor', 'key', 'operator'],
      ...['organization', 'purchase', 'webhook'],
    ]
    for (const topic of lists) {
      const List = await loadCommand(`${topic}:list`)
      const { stdout, stderr } = await run(List)
      const isEmpty = stdout.split('\n').length === 1
      const advised = /coopshare ([a-z-]+)(?: ([a-z-]+))?/.exec(stderr)?.slice(1).join(':')
      t.equal(isEmpty, topic !== 'key' && topic !== 'audit', `${topic} list`)
      if (isEmpty) t.ok(listCommands().includes(advised ?? ''), `${topic} list: ${stderr}`)
      else t.equal(stderr, '')
      for (const format of ['csv', 'json', 'ndjson'])
        t.equal((await run(List, '-o', format)).stderr, '', format)
    }
    const filtered = await run(EventList, '--state', 'dead', '--mail')
    t.equal(filtered.stderr, 'Nothing matches --state dead --mail. Leave out or change a filter.')
  })

  const names = ['Demo Bank', '=1+1', 'Zweite, "große" Bank']
  for (const name of names) await run(OrganizationCreate, name)

  await t.test('each format has the same rows', async (t) => {
    const json = await run(OrganizationList, '--json')
    const ofOption = await run(OrganizationList, '-o', 'json')
    t.equal(ofOption.stdout, json.stdout)
    const lines = await run(OrganizationList, '-o', 'ndjson')
    t.strictSame(
      lines.stdout.split('\n').map((line) => JSON.parse(line)),
      json.json,
    )
    const csv = await run(OrganizationList, '-o', 'csv', '--columns', 'name,investor_mail')
    t.strictSame(csv.stdout.split('\n'), [
      'name,investor_mail',
      'Demo Bank,true',
      "'=1+1,true",
      '"Zweite, ""große"" Bank",true',
    ])
  })

  await t.test('--columns and --sort take the keys of --json', async (t) => {
    const sorted = await run(OrganizationList, '-o', 'json', '--columns', 'name', '--sort', '-name')
    t.strictSame(sorted.json, [
      { name: 'Zweite, "große" Bank' },
      { name: 'Demo Bank' },
      { name: '=1+1' },
    ])
    const table = await run(OrganizationList, '--columns', 'self_service,name', '--sort', 'name')
    t.equal(table.stdout.split('\n')[1], 'no            =1+1')
    const unknown = await run(OrganizationList, '--sort', 'age', '-o', 'json')
    t.equal(unknown.exitCode, 2)
    t.match(unknown.json, {
      error: { code: 'WRONG_USAGE', message: /Keys: organization_id, name/ },
    })
    const two = await run(OrganizationList, '--json', '-o', 'csv')
    t.equal(two.exitCode, 2)
    const watched = await run(OrganizationList, '-o', 'ndjson', '--watch')
    t.equal(watched.exitCode, 2)
  })

  await t.test('only a table says how many rows it leaves out', async (t) => {
    const cut = await run(OrganizationList, '--limit', '2')
    t.equal(cut.stdout.split('\n').length, 3)
    t.match(cut.stderr, /^1 more\. Use --limit/)
    const lines = await run(OrganizationList, '--limit', '2', '-o', 'ndjson')
    t.equal(lines.stdout.split('\n').length, 2)
    t.equal(lines.stderr, '')
  })

  await t.test('a list without rows shows its headings', async (t) => {
    const none = await run(KeyList, '--limit', '1', '--columns', 'kid', '-o', 'csv')
    t.equal(none.stdout.split('\n')[0], 'kid')
    const failed = await run(PurchaseList, '--cooperative', 'nowhere', '-o', 'csv')
    t.match(failed, { exitCode: 3, stdout: '' }, 'a command that fails prints no headings')
  })
}

/** The table that a list command prints. */
async function renderList<Row>(
  rows: readonly Row[],
  columns: Columns<Row>,
  style: Parameters<typeof renderTableInParts>[2],
): Promise<string> {
  async function* inOneBatch() {
    yield rows
  }
  const parts: string[] = []
  for await (const part of renderTableInParts(inOneBatch(), columns, style)) parts.push(part)
  return parts.join('\n')
}

t.test(
  'a table that is too wide for the terminal shortens ids first, and then long texts',
  async (t) => {
    const rows = [
      { id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', name: 'Bürgerenergie Südliches Allgäu eG' },
    ]
    const columns = { ID: 'id', NAME: 'name' } as const
    const tables = [undefined, 50, 30].map((width) => renderList(rows, columns, { width }))
    const [whole, short, cut] = (await Promise.all(tables)).map((table) => table.split('\n')[1])
    t.equal(whole, '7c9e6679-7425-40de-944b-e07fc1f90ae7  Bürgerenergie Südliches Allgäu eG')
    t.equal(short, '7c9e6679…  Bürgerenergie Südliches Allgäu eG')
    const timed = [{ id: '01a21359-ec6f-7024-a8d8-80b3233a875e' }]
    const end = await renderList(timed, { ID: 'id' }, { width: 20 })
    t.match(end, /^…233a875e$/m, 'ids that begin with a time differ at their end')
    t.equal(cut, '7c9e6679…  Bürgerenergie Südl…')
    const wide = await renderList([{ id: '1', name: '山梨県協同組合連合会' }], columns, {
      width: 14,
    })
    t.equal(wide.split('\n')[1], '1   山梨県協…')
  },
)

t.test(
  'a narrow terminal shows amounts, times and states in full, and shortens texts',
  async (t) => {
    const rows = [
      { status: 'submitted', name: 'Bürgerenergie Südliches Allgäu eG', total: '19700.00 EUR' },
      { status: 'cancelled', name: 'Wärme Ulm eG', total: '5.00 EUR' },
    ].map((row) => ({ ...row, at: '2026-03-31T07:30:00Z' }))
    const columns = { STATUS: 'status', NAME: 'name', TOTAL: 'total', AT: 'at' } as const
    const table = await renderList(rows, columns, { width: 63, isUtc: true })
    t.strictSame(table.split('\n'), [
      'STATUS     NAME                     TOTAL  AT',
      'submitted  Bürgerenergie S…  19700.00 EUR  2026-03-31T07:30:00Z',
      'cancelled  Wärme Ulm eG          5.00 EUR  2026-03-31T07:30:00Z',
    ])
  },
)

t.test('a table fits 80 columns even if the code of a refusal is long', async (t) => {
  const entry = {
    at: '2026-03-31T07:30:00Z',
    who: 'maria',
    role: 'administrator',
    operation: 'client.rotate_secret',
    outcome: 'MANAGED_INVESTOR_PROFILE_CONFLICT',
    about: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  }
  const columns = {
    ...({ TIME: 'at', WHO: 'who', ROLE: 'role' } as const),
    ...({ OPERATION: 'operation', OUTCOME: 'outcome', ABOUT: 'about' } as const),
  }
  const lines = (await renderList([entry], columns, { width: 80 })).split('\n')
  t.ok(Math.max(...lines.map((line) => line.length)) <= 80)
  t.match(lines[1], /MANAGED_[A-Z_]*… {2}7c9e6679…$/)
})

t.test('numbers and amounts stand to the right, texts that look like numbers do not', async (t) => {
  const rows = [
    { reference: '7', shares: 5, total: '1250.00 EUR', left: null },
    { reference: '1001', shares: 12, total: '50.00 EUR', left: null },
  ]
  const columns = {
    REFERENCE: 'reference',
    SHARES: 'shares',
    TOTAL: 'total',
    LEFT: 'left',
  } as const
  const table = [
    'REFERENCE  SHARES        TOTAL  LEFT',
    '7               5  1250.00 EUR  -',
    '1001           12    50.00 EUR  -',
  ].join('\n')
  t.equal(await renderList(rows, columns, {}), table)
  t.equal(renderTable(rows, columns), table)
})

t.test('a text with a line break cannot look like another row', async (t) => {
  const rows = [{ code: 'X\nplaceSharePurchase  200  holds' }]
  const table = renderTable(rows, { CODE: 'code' })
  t.equal(table, 'CODE\nX\\nplaceSharePurchase  200  holds')
  t.equal(renderFields({ text: 'one\ntwo' }), 'text  one\n      two', 'below a name it can')
})

t.test('only states are coloured, and only if the terminal supports colours', async (t) => {
  const rows = [{ status: 'settled', name: 'settled' }]
  const columns = { STATUS: 'status', NAME: 'name' } as const
  const colored = await renderList(rows, columns, { hasColors: true })
  t.match(colored, /\n.\[32msettled.\[39m {2}settled$/)
  t.notMatch(await renderList(rows, columns, {}), '\u001b')
})

t.test('tables show local time, or UTC as in JSON', async (t) => {
  const rows = [{ at: '2026-03-31T07:30:00Z' }]
  const zone = process.env['TZ']
  process.env['TZ'] = 'Europe/Berlin'
  t.teardown(() => {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  })
  t.equal(await renderList(rows, { AT: 'at' }, {}), 'AT\n2026-03-31 09:30:00')
  t.equal(await renderList(rows, { AT: 'at' }, { isUtc: true }), 'AT\n2026-03-31T07:30:00Z')
})
