// The partner API on a store.
import { randomUUID } from 'node:crypto'
import rateLimit from '@fastify/rate-limit'
import fastify, { LogController } from 'fastify'
import { pino } from 'pino'
import { ClientAnswer } from './answers.js'
import { authenticate, createVerifier } from './authentication.js'
import { catalogue } from './catalogue.js'
import { documents } from './documents.js'
import { investors } from './investors.js'
import { orders } from './orders.js'
import { createErrorHandler } from './problems.js'
import { tokens } from './tokens.js'

const maximumBodyBytes = 64 * 1024

export function createLogger() {
  // Lines are written in batches, as pino recommends for busy services.
  const buffered = { sync: false, minLength: 8192, periodicFlush: 100 }
  return pino(pino.destination({ dest: 2, ...buffered }))
}

export async function createApp(logger, options) {
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: 'x-request-id',
    genReqId: () => randomUUID(),
    bodyLimit: maximumBodyBytes,
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, allErrors: true } },
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  app.addHook('onResponse', ({ method, url, caller, log }, reply, done) => {
    const { statusCode: status, elapsedTime: ms } = reply
    log.info({ method, url, status, ms, client_id: caller?.clientId }, 'answered')
    done()
  })
  app.get('/operator/deliveries', () => options.store.countDeliveries())
  for (const plugin of [documents, tokens, partnerApi]) await app.register(plugin, options)
  return app
}

async function partnerApi(app, options) {
  const { baseUrl, requestsPerMinute, store } = options
  authenticate(app, createVerifier(options))
  app.setErrorHandler(createErrorHandler(baseUrl))
  await app.register(rateLimit, {
    max: requestsPerMinute,
    timeWindow: '1 minute',
    enableDraftSpec: true,
    keyGenerator: ({ caller, ip }) => caller?.clientId ?? ip,
  })
  app.get('/v1/me', { schema: { response: { 200: ClientAnswer } } }, async ({ caller }, reply) => {
    const { scopes } = await store.findClient(caller.clientId)
    reply.header('cache-control', 'no-store')
    return {
      client_id: caller.clientId,
      organization_id: caller.organizationId,
      token_scopes: caller.scopes,
      granted_scopes: scopes,
    }
  })
  await app.register(catalogue, options)
  await app.register(privateData, options)
}

async function privateData(app, options) {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    reply.header('cache-control', 'no-store')
    done()
  })
  await app.register(investors, options)
  await app.register(orders, options)
}
