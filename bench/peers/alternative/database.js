// The connections to PostgreSQL, and what a new database contains.
import { randomUUID } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import pg from 'pg'
import { tables } from './tables.js'
import { sha256 } from './tokens.js'

/**
 * Names each statement after its text, so that PostgreSQL parses and plans it once for each
 * connection. Kysely does not name its statements.
 */
class PreparingClient extends pg.Client {
  query(config, values, ...rest) {
    const { text = config, name } = typeof config === 'string' ? {} : config
    const isNameless = typeof text === 'string' && name === undefined
    if (!isNameless || !(values ?? config.values)?.length) {
      return super.query(config, values, ...rest)
    }
    const named = typeof config === 'string' ? { text } : config
    return super.query({ ...named, name: nameOf(text) }, values, ...rest)
  }
}

const names = new Map()

function nameOf(text) {
  const name = names.get(text) ?? `statement_${names.size}`
  names.set(text, name)
  return name
}

export function createPool(connectionString, max) {
  return new pg.Pool({ connectionString, max, min: max, Client: PreparingClient })
}

/** Creates the tables and a partner with the fixtures' clients, endpoints and cooperatives. */
export async function fillDatabase(databaseUrl, { fixtures, scopes }) {
  const pool = createPool(databaseUrl, 1)
  await pool.query(tables)
  for (const { name, clients, webhooks } of fixtures.organizations) {
    const organization_id = randomUUID()
    await insert(pool, 'organizations', { organization_id, name })
    for (const { client_id, client_secret } of clients) {
      const secret_sha256 = sha256(client_secret).toString('hex')
      await insert(pool, 'clients', { client_id, organization_id, secret_sha256, scopes })
    }
    for (const { url, signing_secret } of webhooks) {
      const endpoint_id = randomUUID()
      await insert(pool, 'endpoints', { endpoint_id, organization_id, url, signing_secret })
    }
  }
  for (const { key: _, ...cooperative } of fixtures.cooperatives) {
    await insert(pool, 'cooperatives', { cooperative_id: randomUUID(), ...cooperative })
  }
  await insert(pool, 'signing_keys', await createSigningKey())
  await pool.end()
}

function insert(pool, table, row) {
  const places = Object.keys(row).map((_, index) => `$${index + 1}`)
  const text = `insert into ${table} (${Object.keys(row).join()}) values (${places.join()})`
  return pool.query(text, Object.values(row))
}

async function createSigningKey() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const private_jwk = await exportJWK(privateKey)
  return { kid: await calculateJwkThumbprint(private_jwk), private_jwk }
}

/** The key that signs tokens, and the public set that verifies them. */
export async function readSigningKey(pool) {
  const { rows } = await pool.query('select kid, private_jwk from signing_keys limit 1')
  const [{ kid, private_jwk: privateJwk }] = rows
  const { kty, n, e } = privateJwk
  return { privateJwk, keySet: { keys: [{ kty, n, e, kid, alg: 'RS256', use: 'sig' }] } }
}
