type Node = Readonly<Record<string, unknown>>

const refer = (kind: string, name: string): Node => ({ $ref: `#/components/${kind}/${name}` })
const respond = (name: string): Node => refer('responses', name)

const security = [{ oauth2: [] }]
const requestId = refer('parameters', 'RequestId')

/** Answers that every operation below `/sandbox` can give. */
const refusals = {
  '401': respond('Unauthenticated'),
  '403': respond('NotAPartner'),
  '405': respond('MethodNotAllowed'),
  '429': respond('RateLimited'),
  '500': respond('InternalServerError'),
  '503': respond('ServiceUnavailable'),
}

/** Further answers of an operation that reads a body. */
const bodyRefusals = {
  '400': respond('MalformedRequestBody'),
  '413': respond('PayloadTooLarge'),
  '415': respond('UnsupportedMediaType'),
}

export const standardHeaders = {
  'X-Request-Id': refer('headers', 'RequestId'),
  'RateLimit-Limit': refer('headers', 'RateLimitLimit'),
  'RateLimit-Remaining': refer('headers', 'RateLimitRemaining'),
  'RateLimit-Reset': refer('headers', 'RateLimitReset'),
  'Cache-Control': refer('headers', 'NotStored'),
}

function answer(description: string, schema: string): Node {
  const content = { 'application/json': { schema: refer('schemas', schema) } }
  return { description, headers: standardHeaders, content }
}

function body(schema: string, description: string): Node {
  const content = { 'application/json': { schema: refer('schemas', schema) } }
  return { required: false, description, content }
}

const noBody = body(
  'NoFields',
  'Do not send a body. If your client cannot omit it, send an empty object.',
)

interface Decision {
  readonly operationId: string
  readonly summary: string
  readonly description: string
}

/** A step of one of your orders. */
function decision(operation: Decision, takesReason = false): Node {
  return {
    parameters: [refer('parameters', 'PurchaseId'), requestId],
    post: {
      ...operation,
      tags: ['Orders'],
      security,
      requestBody: takesReason ? body('ReasonRequest', 'You can omit the body.') : noBody,
      responses: {
        '200': answer('The order after this step.', 'SharePurchase'),
        '404': respond('OrderNotFound'),
        '409': respond('IllegalState'),
        ...(takesReason && { '422': respond('InvalidReason') }),
        ...bodyRefusals,
        ...refusals,
      },
    },
  }
}

const orderPaths = {
  '/sandbox/share-purchases/{purchaseId}/approve': decision({
    operationId: 'approveOwnSharePurchase',
    summary: 'Approve an order',
    description: 'An operator accepts a `submitted` order, and its payment is collected.',
  }),
  '/sandbox/share-purchases/{purchaseId}/settle': decision({
    operationId: 'settleOwnSharePurchase',
    summary: 'Settle an order',
    description: 'The payment of an `approved` order has arrived: the investor holds the shares.',
  }),
  '/sandbox/share-purchases/{purchaseId}/reject': decision(
    {
      operationId: 'rejectOwnSharePurchase',
      summary: 'Reject an order',
      description: 'An operator refuses a `submitted` or `approved` order.',
    },
    true,
  ),
  '/sandbox/share-purchases/{purchaseId}/bank-return': decision(
    {
      operationId: 'returnOwnDirectDebit',
      summary: 'Let the bank return the payment of an order',
      description:
        "The investor's bank returns the direct debit of an `approved` order, which is then `rejected`. Without a reason of yours, its reason is that the account is closed (AC04).",
    },
    true,
  ),
}

const tokenPaths = {
  '/sandbox/tokens/expire': {
    parameters: [requestId],
    post: {
      operationId: 'expireOwnTokens',
      tags: ['Tokens'],
      summary: 'End all access tokens',
      description:
        'From now on, all access tokens that your clients have are refused (401), including the one of this request. Your clients can request new ones at once.',
      security,
      requestBody: noBody,
      responses: {
        '200': answer('The tokens have been ended.', 'ExpiredTokens'),
        ...bodyRefusals,
        ...refusals,
      },
    },
  },
}

function query(name: string, description: string, schema: Node): Node {
  return { name, in: 'query', description, schema }
}

const eventId = {
  name: 'eventId',
  in: 'path',
  required: true,
  description: 'The `id` of the event, as in its body.',
  schema: { type: 'string', format: 'uuid' },
}

const eventPaths = {
  '/sandbox/events': {
    parameters: [requestId],
    get: {
      operationId: 'listOwnEvents',
      tags: ['Events'],
      summary: 'List your events',
      description: 'The oldest event comes first.',
      security,
      parameters: [
        query('status', 'Only events with this status.', refer('schemas', 'EventStatus')),
        query('limit', 'The length of the list. We use the nearest allowed number.', {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          default: 20,
        }),
        query('after', 'Only events after this one: `next_after` of the previous list.', {
          type: 'string',
          format: 'uuid',
        }),
      ],
      responses: {
        '200': answer('Events with the number of attempts to deliver them.', 'EventList'),
        '400': respond('InvalidParameter'),
        '404': respond('EventNotFound'),
        ...refusals,
      },
    },
  },
  '/sandbox/events/{eventId}': {
    parameters: [eventId, requestId],
    get: {
      operationId: 'readOwnEvent',
      tags: ['Events'],
      summary: 'Read an event with its deliveries',
      security,
      responses: {
        '200': answer('The event, its deliveries and all attempts.', 'EventDetails'),
        '404': respond('EventNotFound'),
        ...refusals,
      },
    },
  },
  '/sandbox/events/{eventId}/replay': {
    parameters: [eventId, requestId],
    post: {
      operationId: 'replayOwnEvent',
      tags: ['Events'],
      summary: 'Send an event again',
      description:
        'Each delivery that has arrived or is dead gets six new attempts with the same body. A delivery that is still pending is left alone.',
      security,
      requestBody: noBody,
      responses: {
        '200': answer('What is sent again.', 'ReplayedEvent'),
        '404': respond('EventNotFound'),
        ...bodyRefusals,
        ...refusals,
      },
    },
  },
}

const documentPath = {
  '/openapi/sandbox.json': {
    parameters: [requestId],
    get: {
      operationId: 'readSandboxDocument',
      tags: ['Document'],
      summary: 'Read this document',
      security: [],
      parameters: [refer('parameters', 'IfNoneMatch')],
      responses: {
        '200': respond('SandboxDocument'),
        '304': respond('ContractUnchanged'),
        '405': respond('PublicMethodNotAllowed'),
      },
    },
  },
}

export const sandboxPaths = { ...orderPaths, ...tokenPaths, ...eventPaths, ...documentPath }
