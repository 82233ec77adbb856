import { writeFile } from 'node:fs/promises'
import { escapeToOneLine } from '../../domain/text.ts'
import { rethrowWithPath } from '../files/read-file.ts'
import { type JunitCase, renderJunit } from '../junit.ts'
import type { Certificate, JudgedCase } from './certify-receiver.ts'
import { type Result, results } from './finding.ts'
import type { Exchange } from './probe.ts'

const words: Readonly<Record<Result, string>> = {
  passed: 'passed',
  warning: 'warning',
  failed: 'FAILED',
  skipped: 'not judged',
}

const resultWidth = 12

export function describeCertificate({ isCertified, cases }: Certificate): string[] {
  const width = Math.max(...cases.map(({ name }) => name.length)) + 2
  const lines = cases.flatMap(({ name, result, detail, advice }) => [
    `${words[result].padEnd(resultWidth)}${name.padEnd(width)}${escapeToOneLine(detail)}`,
    ...(advice === null ? [] : [`${' '.repeat(resultWidth)}-> ${advice}`]),
  ])
  const counted = results
    .map((result) => [countOf(cases, result), words[result].toLowerCase()] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
  const verdict = isCertified ? 'No case failed' : 'The receiver is not ready'
  return [...lines, '', `${verdict}: ${counted.join(', ')}.`]
}

function countOf(cases: readonly JudgedCase[], wanted: Result): number {
  return cases.filter(({ result }) => result === wanted).length
}

export function renderCertificate({ url, isCertified, cases }: Certificate) {
  return {
    url,
    certified: isCertified,
    passed: countOf(cases, 'passed'),
    warnings: countOf(cases, 'warning'),
    failed: countOf(cases, 'failed'),
    skipped: countOf(cases, 'skipped'),
    cases: cases.map(renderCase),
  }
}

function renderCase({ name, title, result, detail, advice, exchanges }: JudgedCase) {
  return { case: name, title, result, detail, advice, requests: exchanges.map(renderExchange) }
}

function renderExchange({ event, attemptId, outcome }: Exchange) {
  const { status, failure, durationMs } = outcome
  return {
    event_id: event.id,
    type: event.type,
    attempt_id: attemptId,
    status,
    failure,
    duration_ms: durationMs,
  }
}

export async function writeJunit(file: string, { url, cases }: Certificate): Promise<void> {
  const text = renderJunit({ name: `webhook certify ${url}`, cases: cases.map(junitCaseOf) })
  await writeFile(file, text).catch(rethrowWithPath(file))
}

function junitCaseOf(judged: JudgedCase): JunitCase {
  const { name, title, result, detail, advice, exchanges } = judged
  const milliseconds = exchanges.reduce((sum, { outcome }) => sum + outcome.durationMs, 0)
  const shared = {
    classname: 'coopshare.webhook.certify',
    name: `${name}: ${title}`,
    seconds: milliseconds / 1000,
  }
  if (result === 'skipped') return { ...shared, skipped: `Not judged: ${detail}` }
  if (result !== 'failed') return { ...shared, output: detail }
  return { ...shared, failure: { message: detail, text: `${detail}\n${advice}` } }
}
