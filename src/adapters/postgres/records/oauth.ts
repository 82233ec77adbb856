import type { Records } from '../../../ports/store.ts'
import type { Question, Session } from '../session.ts'
import { clientTable as clients, signingKeyTable as keys } from '../tables/oauth.ts'

type ClientRow = Parameters<typeof clients.build>[0]
type KeyRow = Parameters<typeof keys.build>[0]

const selectClient = `select ${clients.selected} from clients t`
const clientById = `${selectClient} where t.client_id = $1`
const clientsInOrder = `${selectClient} order by t.sequence`
const keysInOrder = `select ${keys.selected} from signing_keys t order by t.sequence`
const removeKey = 'delete from signing_keys where kid = $1'

/** Few write them, and seldom: those who do wait for each other, from the first look on. */
export function clientsOf(session: Session): Records['clients'] {
  const look = (question: Pick<Question, 'text' | 'values' | 'isKept'>) => {
    session.lockName('clients')
    return session.remember<ClientRow>({ table: 'clients', ...question })
  }
  return {
    get: async (clientId) =>
      clients.one(await look({ text: clientById, values: [clientId], isKept: true })),
    list: async () => clients.all(await look({ text: clientsInOrder, values: [] })),
    put: async (record) => {
      session.lockName('clients')
      await clients.put(session, record, true)
    },
  }
}

export function signingKeysOf(session: Session): Records['signingKeys'] {
  return {
    list: async () => {
      session.lockName('signing_keys')
      const question = { table: 'signing_keys', text: keysInOrder, values: [], isKept: true }
      return keys.all(await session.remember<KeyRow>(question))
    },
    put: async (record) => {
      session.lockName('signing_keys')
      await keys.put(session, record)
    },
    remove: async (kid) => {
      session.lockName('signing_keys')
      await session.change('signing_keys', { text: removeKey, values: [kid] })
    },
  }
}
