import { getRouterParam, type H3, type H3Event, type H3Plugin } from 'h3'
import { sandboxFile } from '../contract/sandbox.ts'
import { validationProblem } from '../domain/problem.ts'
import { Unfit } from '../domain/sent.ts'
import { eventStates } from '../domain/webhooks/event.ts'
import { expireTokens } from '../usecases/oauth/clients.ts'
import type { Service } from '../usecases/service.ts'
import {
  type DecideSharePurchase,
  decideSharePurchase,
  returnDirectDebit,
} from '../usecases/share-purchases/change-status.ts'
import { readOrganizationSharePurchase } from '../usecases/share-purchases/read-share-purchases.ts'
import { pageEvents, readOrganizationEvent } from '../usecases/webhooks/read-events.ts'
import { replayOrganizationEvent } from '../usecases/webhooks/replay-events.ts'
import {
  reasonShape,
  renderEventDetails,
  renderEventPage,
  renderExpiredTokens,
  renderReplay,
} from '../wire/sandbox.ts'
import { renderSharePurchase } from '../wire/share-purchases.ts'
import { actingFor, authenticationOf } from './access-control.ts'
import { fileHandler } from './contract-files.ts'
import { readEnum, readLimit, readParameter } from './query.ts'
import { readNoBody, readShape } from './read-body.ts'

/** The routes for organizations with self-service. Production has none of them. */
export function sandboxRoutes(service: Service): H3Plugin {
  return (app) => {
    if (service.settings.environment !== 'staging') return
    addOrderRoutes(app, service)
    addEventRoutes(app, service)
    app.get('/openapi/sandbox.json', fileHandler(sandboxFile(), service.settings.baseUrl))
    app.post('/sandbox/tokens/expire', async (event) => {
      await readNoBody(event)
      const { organizationId } = authenticationOf(event)
      return renderExpiredTokens(await expireTokens(actingFor(service, event), { organizationId }))
    })
  }
}

const single = '/sandbox/share-purchases/:purchaseId'

function addOrderRoutes(app: H3, service: Service): void {
  const decide = (to: DecideSharePurchase['to']) => async (event: H3Event) => {
    await readNoBody(event)
    return renderSharePurchase(
      await decideSharePurchase(actingFor(service, event), { ...orderOf(event), to }),
    )
  }
  app.post(`${single}/approve`, decide('approved'))
  app.post(`${single}/settle`, decide('settled'))
  app.post(`${single}/reject`, async (event) => {
    const rejection = {
      ...orderOf(event),
      to: 'rejected',
      reason: await readReason(event),
    } as const
    return renderSharePurchase(await decideSharePurchase(actingFor(service, event), rejection))
  })
  app.post(`${single}/bank-return`, async (event) => {
    const order = { ...orderOf(event), reason: await readReason(event) }
    return renderSharePurchase(await returnDirectDebit(actingFor(service, event), order))
  })

  async function readReason(event: H3Event): Promise<string | null | undefined> {
    const body = await readShape(event, reasonShape, { isOptional: true })
    if (!(body instanceof Unfit)) return body.reason
    await readOrganizationSharePurchase(service, orderOf(event))
    throw validationProblem(body.errors)
  }
}

function orderOf(event: H3Event) {
  const { organizationId } = authenticationOf(event)
  return { organizationId, sharePurchaseId: getRouterParam(event, 'purchaseId') ?? '' }
}

const listLength = { usual: 20, largest: 100 }

function addEventRoutes(app: H3, service: Service): void {
  app.get('/sandbox/events', async (event) => {
    const { organizationId } = authenticationOf(event)
    const page = await pageEvents(service, {
      organizationId,
      state: readEnum(event, 'status', eventStates),
      after: readParameter(event, 'after'),
      limit: readLimit(event, listLength),
    })
    return renderEventPage(page)
  })
  app.get('/sandbox/events/:eventId', async (event) =>
    renderEventDetails(await readOrganizationEvent(service, eventOf(event))),
  )
  app.post('/sandbox/events/:eventId/replay', async (event) => {
    await readNoBody(event)
    return renderReplay(await replayOrganizationEvent(actingFor(service, event), eventOf(event)))
  })
}

function eventOf(event: H3Event) {
  const { organizationId } = authenticationOf(event)
  return { organizationId, eventId: getRouterParam(event, 'eventId') ?? '' }
}
