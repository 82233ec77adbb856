import type { Exchange } from '../../domain/bench/exchange.ts'
import type { Coverage } from '../../usecases/bench/journal.ts'
import { type ContractVerdict, renderExchange } from '../../wire/bench.ts'

export interface JournalRenderer {
  renderAll(exchanges: readonly Exchange[]): Promise<readonly ReturnType<typeof renderExchange>[]>
  renderCoverage(coverage: Coverage): Promise<ReturnType<typeof renderCoverage>>
}

/** Holds exchanges against the published contract, when somebody looks at them. */
export function createJournalRenderer(): JournalRenderer {
  return {
    async renderAll(exchanges) {
      const contract = await loadContract()
      return exchanges.map((exchange) => renderExchange(exchange, verdictOn(contract, exchange)))
    },
    renderCoverage: async (coverage) => renderCoverage(await loadContract(), coverage),
  }
}

type Contract = Awaited<ReturnType<typeof loadContract>>

/** Loaded late, because most services never need it. */
async function loadContract() {
  const [{ listPinnedContracts }, { documents }] = await Promise.all([
    import('../../contract/pinned-contract.ts'),
    import('../../contract/documents.ts'),
  ])
  const [newest] = listPinnedContracts(documents)
  if (!newest) throw new Error('No version of the contract is published.')
  return newest
}

function verdictOn(contract: Contract, exchange: Exchange): ContractVerdict {
  const { direction, operation, status, request, response } = exchange
  if (request.isCutOff) return unchecked
  if (direction === 'delivery') {
    const type = request.headers['x-service-webhook-event'] ?? ''
    return verdict(prefixed('event', contract.findEventDifference(type, parse(request.body))))
  }
  // The sandbox has a document of its own.
  if (operation === null || !contract.has(operation)) return unchecked
  const body = parse(request.body)
  const mediaType = request.headers['content-type']?.split(';', 1)[0] ?? ''
  const ofRequest =
    request.body === ''
      ? undefined
      : contract.findRequestDifference(operation, mediaType, formOr(body, mediaType, request.body))
  const ofResponse =
    status === null || response.isCutOff
      ? undefined
      : contract.findDifference(operation, {
          status,
          headers: new Headers(response.headers),
          text: response.body,
          body: parse(response.body),
        })
  return verdict(prefixed('request', ofRequest), prefixed('response', ofResponse))
}

const unchecked: ContractVerdict = { verdict: 'unchecked', problems: [] }

function verdict(...found: readonly (string | undefined)[]): ContractVerdict {
  const problems = found.filter((problem) => problem !== undefined)
  return { verdict: problems.length === 0 ? 'conforms' : 'violates', problems }
}

function prefixed(what: string, problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `${what}: ${problem}`
}

function formOr(body: unknown, mediaType: string, text: string): unknown {
  const isForm = mediaType === 'application/x-www-form-urlencoded'
  return isForm ? Object.fromEntries(new URLSearchParams(text)) : body
}

/** The text itself if it is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Which answers, events and outcomes that the contract documents were met, and which were not. */
export function renderCoverage(contract: Contract, { answers, eventTypes, outcomes }: Coverage) {
  const documented = contract
    .listAnswers()
    .filter(({ operation }) => partnerOperations.has(operation))
    .map((answer) => ({ ...answer, times: timesOf(answer) }))
  const events = contract
    .listEventTypes()
    .map((type) => ({ type, times: eventTypes.get(type) ?? 0 }))
  const deliveries = deliveryOutcomes.map((outcome) => ({
    outcome,
    times: outcomes.get(outcome) ?? 0,
  }))
  const all = [...documented, ...events, ...deliveries]
  const met = all.filter(({ times }) => times > 0).length
  return {
    percentage: Math.floor((1000 * met) / all.length) / 10,
    met,
    total: all.length,
    answers: documented,
    events,
    deliveries,
  }

  function timesOf(answer: { operation: string; status: number; code: string | null }): number {
    const same = answers.filter(
      ({ operation, status, code }) =>
        operation === answer.operation && status === answer.status && code === answer.code,
    )
    return same.reduce((sum, { times }) => sum + times, 0)
  }
}

/** What an application of a partner calls; documents, keys and images are not counted. */
const partnerOperations: ReadonlySet<string> = new Set([
  'issueToken',
  'readClient',
  'listCooperatives',
  'readCooperative',
  'provisionInvestor',
  'findInvestor',
  'readInvestor',
  'replaceProfile',
  'placeSharePurchase',
  'listSharePurchases',
  'readSharePurchase',
  'cancelSharePurchase',
  'listHoldings',
])

const deliveryOutcomes = ['delivered', 'status', 'timeout', 'connect', 'broken_answer']
