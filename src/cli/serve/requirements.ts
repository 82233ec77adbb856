import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { invalid } from '../../config/common-flags.ts'
import type { Config, HttpsFiles } from '../../config.ts'
import { Problem } from '../../domain/problem.ts'
import { refuseTestingAidsInProduction, requireEncryptionKey } from '../../open-service.ts'
import {
  isOperatorToken,
  minimumServiceTokenLength,
} from '../../usecases/operators/operator-tokens.ts'

/** Refuses settings with which no service starts, before anything is opened. */
export async function requireServable(config: Config): Promise<void> {
  refuseTestingAidsInProduction(config)
  refuseDemoInProduction(config)
  refuseOpenOperators(config)
  requireMailChoice(config)
  requireTokens(config)
  await requireCertificate('https', config.httpsFiles)
  await requireCertificate('operator', config.operatorHttpsFiles)
}

/** What a start reads later, and refuses then. */
export async function requireNamedFiles(config: Config): Promise<void> {
  await requireEncryptionKey(config)
  if (config.fixtures.length === 0) return
  const { readFixtureFiles } = await import('../read-fixture-files.ts')
  await readFixtureFiles(config.fixtures)
}

function refuseDemoInProduction({ demo, environment }: Config): void {
  if (!demo || environment !== 'production') return
  throw new Problem(
    'TESTING_AID_IN_PRODUCTION',
    'The secrets of the demo data are public. Leave out --demo, or use staging.',
  )
}

/** Others on the network could read what operators do, and programs that send their token would reveal it. */
function refuseOpenOperators({ environment, operatorHost, operatorHttpsFiles }: Config): void {
  const isLocal = /^(localhost|127(\.\d+){3}|::1)$/.test(operatorHost)
  if (environment !== 'production' || isLocal || operatorHttpsFiles) return
  throw invalid(
    `In production, the operator endpoint at ${operatorHost} needs TLS. Give --operator-cert and --operator-key, or leave out --operator-host and use a tunnel.`,
  )
}

/** Otherwise investors could be left without e-mails and nobody would notice. */
function requireMailChoice(config: Config): void {
  const { environment, smtpUrl, mailDirectory, investorMail } = config
  const isChosen = smtpUrl !== undefined || mailDirectory !== undefined || !investorMail
  if (environment === 'production' && !isChosen) throw invalid(choices)
}

const choices = `Choose what happens to e-mails to investors. In production, give one of these flags or set its variable:
  --smtp-url URL (COOPSHARE_SMTP_URL) sends them,
  --mail-directory DIR (COOPSHARE_MAIL_DIRECTORY) writes them to files,
  --no-investor-mail (COOPSHARE_NO_INVESTOR_MAIL) sends none.`

function requireTokens({ operatorToken, metricsToken }: Config): void {
  requireLong('COOPSHARE_OPERATOR_TOKEN', operatorToken)
  requireLong('COOPSHARE_METRICS_TOKEN', metricsToken)
  if (operatorToken !== undefined && isOperatorToken(operatorToken))
    throw invalid(
      'COOPSHARE_OPERATOR_TOKEN is a personal operator token. Give the service its own token, or none.',
    )
}

function requireLong(variable: string, token: string | undefined): void {
  if (token === undefined || token.length >= minimumServiceTokenLength) return
  throw invalid(`${variable} must have at least ${minimumServiceTokenLength} characters.`)
}

/** OpenSSL would not name the files, and would accept a key of another kind. */
async function requireCertificate(what: string, files: HttpsFiles | undefined): Promise<void> {
  if (!files) return
  const [cert, key] = [await readFile(files.cert, 'utf8'), await readFile(files.key, 'utf8')]
  if (isPair(cert, key)) return
  throw invalid(
    `--${what}-cert and --${what}-key must be a certificate and its key, both in PEM, and the key without a password.`,
  )
}

function isPair(cert: string, key: string): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}
