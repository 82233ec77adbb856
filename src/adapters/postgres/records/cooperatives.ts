import type { Records } from '../../../ports/store.ts'
import type { Session } from '../session.ts'
import { cooperativeTable as cooperatives, imageTable as images } from '../tables/cooperatives.ts'

type CooperativeRow = Parameters<typeof cooperatives.build>[0]
type ImageRow = Parameters<typeof images.build>[0]

const select = `select ${cooperatives.selected} from cooperatives t`
const byId = `${select} where t.id = $1`
const byKey = `${select} where t.key = $1`
const inOrder = `${select} order by t.sequence`
const currentVersion = 'select version::text from catalogue'
const nextVersion = 'update catalogue set version = version + 1'
const imageOf = `select ${images.selected} from images t where t.owner_id = $1 and t.kind = $2`
const removeImage = 'delete from images where owner_id = $1 and kind = $2'

export function cooperativesOf(session: Session): Records['cooperatives'] {
  const look = (text: string, values: readonly string[]) =>
    session.remember<CooperativeRow>({ table: 'cooperatives', text, values, isCounted: true })
  return {
    get: async (id) => cooperatives.one(await look(byId, [id])),
    findByKey: async (key) => cooperatives.one(await look(byKey, [key])),
    list: async () => cooperatives.all(await look(inOrder, [])),
    version: async () => {
      const question = { table: 'catalogue', text: currentVersion, values: [], isKept: true }
      const [row] = await session.remember<{ readonly version: string }>(question)
      return Number(row?.version)
    },
    put: async (record) => {
      await session.requireUnchanged('cooperatives')
      await cooperatives.put(session, record, true)
      await session.change('catalogue', { text: nextVersion, values: [] })
    },
  }
}

export function imagesOf(session: Session): Records['images'] {
  return {
    get: async (ownerId, kind) => {
      session.lockName('images')
      const question = { table: 'images', text: imageOf, values: [ownerId, kind] }
      return images.one(await session.remember<ImageRow>(question))
    },
    put: async (record) => void (await images.put(session, record)),
    remove: async (ownerId, kind) => {
      await session.change('images', { text: removeImage, values: [ownerId, kind] })
    },
  }
}
