import { getRouterParam, type H3Event, type H3Plugin } from 'h3'
import { validationProblem } from '../../domain/problem.ts'
import { Unfit } from '../../domain/sent.ts'
import { eventStates } from '../../domain/webhooks/event.ts'
import { expireTokens } from '../../usecases/oauth/clients.ts'
import type { Service } from '../../usecases/service.ts'
import {
  type DecideSharePurchase,
  decideSharePurchase,
  returnDirectDebit,
} from '../../usecases/share-purchases/change-status.ts'
import { readOrganizationSharePurchase } from '../../usecases/share-purchases/read-share-purchases.ts'
import { pageEvents, readOrganizationEvent } from '../../usecases/webhooks/read-events.ts'
import { replayOrganizationEvent } from '../../usecases/webhooks/replay-events.ts'
import { reasonShape } from '../../wire/sandbox.ts'
import {
  eventListLength,
  type SandboxCall,
  type SandboxCallName,
  type SandboxSource,
  sandboxCallNames,
  sandboxCalls,
} from '../../wire/sandbox-calls.ts'
import { actingFor, authenticationOf } from '../access-control.ts'
import { fileHandler } from '../contract-files.ts'
import { routeOf } from '../operation-ids.ts'
import { readEnum, readLimit, readParameter } from '../query.ts'
import { readNoBody, readShape } from '../read-body.ts'
import { sandboxFile } from './document.ts'

/** The routes for organizations with self-service. Production has none of them. */
export function sandboxRoutes(service: Service): H3Plugin {
  return (app) => {
    if (service.settings.environment !== 'staging') return
    const file = sandboxFile()
    app.get(`/${file.path}`, fileHandler(file, service.settings.baseUrl))
    const handlers = handlersOf(service)
    for (const name of sandboxCallNames) {
      const { method, path, input, answer }: SandboxCall = sandboxCalls[name]
      app.on(method, routeOf(path), async (event) => {
        if (method === 'POST' && !input) await readNoBody(event)
        return answer.render((await handlers[name](event)) as never)
      })
    }
  }
}

type Handlers = {
  readonly [Name in SandboxCallName]: (event: H3Event) => Promise<SandboxSource<Name>>
}

function handlersOf(service: Service): Handlers {
  const decide = (to: DecideSharePurchase['to']) => (event: H3Event) =>
    decideSharePurchase(actingFor(service, event), { ...orderOf(event), to, money: 'simulated' })
  return {
    approveOwnSharePurchase: decide('approved'),
    settleOwnSharePurchase: decide('settled'),
    rejectOwnSharePurchase: async (event) => {
      const order = { ...orderOf(event), reason: await readReason(event) }
      const rejection = { ...order, to: 'rejected', money: 'simulated' } as const
      return decideSharePurchase(actingFor(service, event), rejection)
    },
    returnOwnDirectDebit: async (event) => {
      const order = { ...orderOf(event), reason: await readReason(event) }
      return returnDirectDebit(actingFor(service, event), order)
    },
    expireOwnTokens: async (event) => {
      const { organizationId } = authenticationOf(event)
      return { clients: await expireTokens(actingFor(service, event), { organizationId }) }
    },
    listOwnEvents: async (event) =>
      pageEvents(service, {
        organizationId: authenticationOf(event).organizationId,
        state: readEnum(event, 'status', eventStates),
        after: readParameter(event, 'after'),
        limit: readLimit(event, eventListLength),
      }),
    readOwnEvent: async (event) => readOrganizationEvent(service, eventOf(event)),
    replayOwnEvent: async (event) =>
      replayOrganizationEvent(actingFor(service, event), eventOf(event)),
  }

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

function eventOf(event: H3Event) {
  const { organizationId } = authenticationOf(event)
  return { organizationId, eventId: getRouterParam(event, 'eventId') ?? '' }
}
