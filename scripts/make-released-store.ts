// What a released program writes, as a fixture that every later one has to open. How to run it: fixtures/released/README.md.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { fillStore } from './released-store/fill-store.ts'
import { baseUrl, programOf } from './released-store/program.ts'
import { askCommands, askPartnerApi } from './released-store/questions.ts'

const [version, databaseUrl, ...words] = process.argv.slice(2)
if (!version || !databaseUrl || words.length === 0) {
  throw new Error('Usage: make-released-store.ts VERSION DATABASE_URL PROGRAM…')
}

/** Of nothing but these fixtures. */
const encryptionKey = 'c0095a7e'.repeat(8)

const target = join(import.meta.dirname, '..', 'fixtures', 'released', version)
const work = await mkdtemp(join(tmpdir(), 'coopshare-released-'))
const keyFile = join(work, 'encryption.key')
await writeFile(keyFile, encryptionKey)
await rm(target, { recursive: true, force: true })
await mkdir(target, { recursive: true })

const at = (name: string) => programOf({ words, keyFile, dataDirectory: join(work, name) })
const copy = (name: string) => cp(join(work, 'store'), join(work, name), { recursive: true })

const store = at('store')
const known = await fillStore(store, work)
await store.run('store', 'backup', join(work, 'store.backup'))
for (const name of ['served', 'copied']) await copy(name)
const answers = {
  base_url: baseUrl,
  encryption_key: encryptionKey,
  known,
  commands: await askCommands(store),
  partner_api: await askPartnerApi(at('served'), known),
  copied: await at('copied').run('store', 'copy', '--to', databaseUrl),
  recorded_at: new Date().toISOString(),
}
await keep('store')
await write('store.backup', await readFile(join(work, 'store.backup')))
await write('answers.json', `${JSON.stringify(answers)}\n`)
await write('database.sql', await dump(databaseUrl))

// The same program with a key of its own making: there is little in it, because the key is what differs.
const own = programOf({ words, dataDirectory: join(work, 'own-key') })
await own.run('organization', 'create', 'Demo Bank')
await own.run('client', 'create', '--organization', 'Demo Bank')
await keep('own-key')
await rm(work, { recursive: true })

/** The files of a store, without mails, which are no part of it. */
async function keep(name: string): Promise<void> {
  await mkdir(join(target, name))
  for (const file of await readdir(join(work, name))) {
    if (/^(mail|listen|lock.*|control\.json)$/.test(file)) continue
    await write(join(name, file), await readFile(join(work, name, file)))
  }
}

/** Compressed, because ids and words come again and again. */
function write(name: string, content: string | Buffer): Promise<void> {
  return writeFile(join(target, `${name}.gz`), gzipSync(content, { level: 9 }))
}

/** As text that a driver can send: pg_dump writes comments and commands of psql besides. */
async function dump(url: string): Promise<string> {
  const options = ['--inserts', '--no-owner', '--no-privileges', '--no-comments', url]
  const { stdout } = await promisify(execFile)('pg_dump', options, { maxBuffer: 2 ** 26 })
  return stdout.replaceAll(/^(--.*|\\.*)\n/gm, '').replaceAll(/\n{2,}/g, '\n')
}
