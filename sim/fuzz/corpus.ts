// The inputs with which each run begins: requests and commands that once got a wrong answer, or
// easily could. Each has the answer that it must get.
import type { FuzzedRequest } from './make-request.ts'
import { RequestFuzzing } from './requests.ts'
import type { Finding, FuzzResult } from './result.ts'

export interface Corpus {
  readonly requests: readonly CorpusRequest[]
  readonly commands: readonly CorpusCommand[]
}

export interface CorpusRequest extends FuzzedRequest {
  readonly expects: {
    readonly status: number
    /** Empty if the answer is a page. */
    readonly code: string
  }
}

export interface CorpusCommand {
  /** The arguments. Values of the store replace the names in braces. */
  readonly words: readonly string[]
  readonly stdin?: string
  readonly expects: { readonly exitCode: number }
}

export async function replayRequests(requests: readonly CorpusRequest[]): Promise<FuzzResult> {
  const fuzzing = await RequestFuzzing.begin(1)
  const findings: Finding[] = []
  for (const { expects, ...request } of requests) {
    const answer = await fuzzing.ask(request)
    if (answer?.status === expects.status && answer.code === expects.code) continue
    const got = answer ? `${answer.status} ${answer.code}` : 'nothing'
    findings.push({
      fault: `the answer is ${got} instead of ${expects.status} ${expects.code}`,
      input: request,
    })
  }
  const result = await fuzzing.end()
  return { ...result, findings: [...findings, ...result.findings] }
}
