// Health checks and the published contract.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import etag from '@fastify/etag'

const types = { yaml: 'application/yaml', json: 'application/json' }
const [minutes, always] = ['public, max-age=300', 'public, max-age=31536000, immutable']

export async function documents(app, { store, contractFolder }) {
  await app.register(etag)
  app.get('/livez', (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  )
  app.get('/readyz', async (_request, reply) => {
    await store.ping()
    return reply.header('cache-control', 'no-store').send({ status: 'ready' })
  })

  const serve = (path, text, type, cacheControl) =>
    app.get(path, (_request, reply) =>
      reply.type(type).header('cache-control', cacheControl).send(text),
    )
  const files = new Map(
    readdirSync(contractFolder).map((name) => [
      name,
      readFileSync(join(contractFolder, name), 'utf8'),
    ]),
  )
  for (const [name, text] of files) {
    const isPinned = name !== 'manifest.json'
    serve(`/openapi/${name}`, text, types[name.split('.').at(-1)], isPinned ? always : minutes)
  }
  const { latest } = JSON.parse(files.get('manifest.json'))
  for (const [form, type] of Object.entries(types)) {
    serve(`/openapi.${form}`, files.get(`${latest}.${form}`), type, minutes)
  }
  app.get('/docs', (_request, reply) =>
    reply
      .type('text/html')
      .headers({
        'cache-control': minutes,
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
        vary: 'accept-encoding',
      })
      .send(`<!doctype html><title>${latest}</title><a href="openapi.yaml">Contract ${latest}</a>`),
  )
}
