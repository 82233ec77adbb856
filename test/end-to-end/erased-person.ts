import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { until } from '../../fixtures/async.ts'
import { completeProfile } from '../../fixtures/builders/investors.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { createDatabase, stopServer } from '../../fixtures/postgres/databases.ts'
import { runCoopshare } from '../../fixtures/program/serve.ts'
import { createServedMarket, settle } from '../../fixtures/program/served-market.ts'

t.teardown(stopServer)

const reference = 'customer-to-erase'
const email = 'greta.forgotten@mail.example'

async function contentsBelow(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const read = files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1'))
  const texts = await Promise.all(read).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  // The service has just renamed the temporary file of an e-mail.
  return texts?.join('\n') ?? contentsBelow(directory)
}

/** Finds the key of the person in the journal. */
function keyOf(contents: string, investorId: string): string {
  const record = contents.split(`"investorId":"${investorId}"`)[1] ?? ''
  return /"encryptedKey":"(v1\.[\w-]+)"/.exec(record)?.[1] ?? ''
}

async function command(t: Test, argv: readonly string[], code = 0, encryptionKey?: string) {
  const variables = encryptionKey ? { COOPSHARE_ENCRYPTION_KEY: encryptionKey } : {}
  const { stdout, stderr, code: found } = await runCoopshare([...argv, '--json'], variables)
  t.equal(found, code, `${argv.join(' ')}: ${stdout}${stderr}`)
  return JSON.parse(stdout)
}

const although = ['--although-member', '--reason', 'Request of 3 May']

t.test('files and later backups do not contain an erased person', async (t) => {
  const market = await createServedMarket(t)
  const { dataDirectory, seed } = market
  const running = await market.start()
  const here = ['--data-dir', dataDirectory]
  const backups = await mkdtemp(join(tmpdir(), 'backups-'))
  t.teardown(() => rm(backups, { recursive: true }))
  const id = await running.partner.register({
    partner_customer_ref: reference,
    email,
    profile: completeProfile({ first_name: 'Greta', last_name: 'Forgotten' }),
  })
  const placed = await running.partner.order(id, seed.cooperativeId)
  await settle(running, placed.body.share_purchase_id)
  const written = async () => (await contentsBelow(dataDirectory)).split(email).length > 3
  await until(t, written)
  const before = await contentsBelow(dataDirectory)
  const key = keyOf(before, id)
  t.ok(key.length > 40, 'the journal has the key of the person')
  const early = join(backups, 'early')
  await command(t, ['store', 'backup', early, ...here])

  await command(t, ['investor', 'erase', id, ...here], 4)
  t.match(await command(t, ['investor', 'show', id, ...here]), { email }, 'the command did not ask')
  t.match(await command(t, ['investor', 'erase', id, '--yes', ...although, ...here]), {
    removed_mail_files: 3,
    is_compacted: true,
    was_erased_before: false,
  })
  const personal = [reference, email, 'greta', key]
  const after = await contentsBelow(dataDirectory)
  t.strictSame(
    personal.filter((text) => after.includes(text)),
    [],
    'no file has data of the person, neither the journal nor an e-mail',
  )
  const late = join(backups, 'late')
  await command(t, ['store', 'backup', late, ...here])
  const backup = await readFile(late, 'latin1')
  t.strictSame(
    personal.filter((text) => backup.includes(text)),
    [],
  )
  t.match(await command(t, ['store', 'check', ...here]), { sound: true })

  await t.test('the reference of an erased person can register another person', async (t) => {
    const another = await running.partner.register({ partner_customer_ref: reference })
    t.not(another, id)
  })
  await running.served.stop()

  await t.test('a copy in a database is sound and keeps the person erased', async (t) => {
    const { options, drop } = await createDatabase({ isEmpty: true })
    t.teardown(drop)
    const key = (await readFile(join(dataDirectory, 'encryption.key'), 'utf8')).trim()
    await command(t, ['store', 'copy', '--to', options.url, ...here])
    const there = ['--database-url', options.url, '--data-dir', join(t.testdir(), 'data')]
    t.match(await command(t, ['store', 'check', ...there], 0, key), { sound: true })
    t.match(
      await command(t, ['investor', 'list', '--erased', ...there], 0, key),
      exactArrays([{ investor_id: id }]),
    )
  })

  await t.test(
    'after a restore of an earlier backup the list erases the person again',
    async (t) => {
      const restored = ['--data-dir', join(t.testdir(), 'restored')]
      await command(t, ['store', 'restore', early, ...restored])
      t.match(
        await command(t, ['find', email, ...restored]),
        exactArrays({ found: [{ investor_id: id }] }),
        'an earlier backup still has the person',
      )
      await command(t, ['investor', 'erase', id, '--yes', ...although, ...restored])
      t.match(await command(t, ['find', email, ...restored]), exactArrays({ found: [] }))
    },
  )
})
