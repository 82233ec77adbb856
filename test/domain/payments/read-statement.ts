import t from 'tap'
import { exactArrays } from '../../../fixtures/exact-arrays.ts'
import { StatementReader } from '../../../src/domain/payments/read-statement.ts'

/** A file in pieces of this length, because an element may be cut anywhere. */
function read(text: string, length = 7) {
  const reader = new StatementReader()
  for (let from = 0; from < text.length; from += length)
    reader.write(text.slice(from, from + length))
  return reader.close()
}

const names = { '052': 'BkToCstmrAcctRpt', '053': 'BkToCstmrStmt', '054': 'BkToCstmrDbtCdtNtfctn' }
const parts = { '052': 'Rpt', '053': 'Stmt', '054': 'Ntfctn' }

function camt(entries: string, kind: keyof typeof names = '053', version = '08'): string {
  return `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${kind}.001.${version}"><${names[kind]}><GrpHdr><MsgId>S1</MsgId></GrpHdr><${parts[kind]}><Id>S1</Id><Acct><Id><IBAN>DE02120300000000202051</IBAN></Id></Acct>${entries}</${parts[kind]}></${names[kind]}></Document>`
}

const booked = '<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-12-14</Dt></BookgDt>'
const batch = `<Ntry><Amt Ccy="EUR">1535.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>${booked}<AcctSvcrRef>R1</AcctSvcrRef><NtryDtls><Btch><MsgId>M1</MsgId><PmtInfId>P1</PmtInfId></Btch></NtryDtls></Ntry>`

function returned(details: string, amount = '513.00', status = booked): string {
  return `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd>${status}<NtryDtls><TxDtls>${details}<RtrInf><Rsn><Cd>AM04</Cd></Rsn></RtrInf></TxDtls></NtryDtls></Ntry>`
}

t.test('a batch is one booking, with or without its details', async (t) => {
  const detail =
    '<TxDtls><Refs><EndToEndId>E1</EndToEndId></Refs><Amt Ccy="EUR">510.00</Amt></TxDtls>'
  const detailed = batch.replace('</Btch>', `</Btch>${detail}${detail}`)
  for (const [kind, entry] of [
    ['053', batch],
    ['052', batch],
    ['054', detailed],
  ] as const) {
    const [statement] = read(camt(entry, kind))
    t.match(statement, { format: `camt.${kind}.001.08`, accountIban: 'DE02120300000000202051' })
    t.equal(statement?.entries.length, 1)
    t.match(
      statement?.entries,
      exactArrays([
        { kind: 'booking', amount: '1535.00', messageId: 'M1', batchId: 'P1', bankReference: 'R1' },
      ]),
    )
  }
})

t.test('the charges of a return are apart, in every form that banks use', async (t) => {
  const original = '<AmtDtls><InstdAmt><Amt Ccy="EUR">510.00</Amt></InstdAmt></AmtDtls>'
  const newer =
    '<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">3.00</TtlChrgsAndTaxAmt><Rcrd><Amt Ccy="EUR">3.00</Amt></Rcrd></Chrgs>'
  const older = '<Chrgs><Amt Ccy="EUR">2.00</Amt></Chrgs><Chrgs><Amt Ccy="EUR">1.00</Amt></Chrgs>'
  for (const details of [original + newer, original + older, original, newer, older]) {
    const [statement] = read(camt(returned(`<Refs><EndToEndId>E1</EndToEndId></Refs>${details}`)))
    t.match(
      statement?.entries,
      exactArrays([
        { kind: 'return', amount: '510.00', charges: '3.00', endToEndId: 'E1', returnCode: 'AM04' },
      ]),
      details,
    )
  }
})

t.test('the amount and the charges of a return are together what was booked', async (t) => {
  const original = '<AmtDtls><InstdAmt><Amt Ccy="EUR">510.00</Amt></InstdAmt></AmtDtls>'
  const charges = (more: string) => `<Chrgs><Rcrd><Amt Ccy="EUR">3.00</Amt>${more}</Rcrd></Chrgs>`
  for (const [name, details, gross, expected] of [
    ['charges come as an entry of their own', original + charges(''), '510.00', ['510.00', '0.00']],
    [
      'charges are not included',
      charges('<ChrgInclInd>false</ChrgInclInd>'),
      '510.00',
      ['510.00', '0.00'],
    ],
    ['the transaction has the amount', '<Amt Ccy="EUR">510.00</Amt>', '513.00', ['510.00', '3.00']],
    [
      'the original amount is in another currency',
      `<AmtDtls><InstdAmt><Amt Ccy="CHF">480.00</Amt></InstdAmt></AmtDtls>${charges('')}`,
      '513.00',
      ['510.00', '3.00'],
    ],
    [
      'and has other decimals',
      `<AmtDtls><InstdAmt><Amt Ccy="KWD">170.125</Amt></InstdAmt></AmtDtls>${charges('')}`,
      '0513.000',
      ['510.00', '3.00'],
    ],
  ] as const) {
    const [entry] = read(camt(returned(details, gross)))[0]?.entries ?? []
    t.strictSame([entry?.amount, entry?.charges], expected, name)
  }
})

t.test('what the transactions leave of the amount of an entry is not lost', async (t) => {
  const one = (id: string) =>
    `<TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs><Amt Ccy="EUR">10.00</Amt></TxDtls>`
  const entry = (kind: string, amount: string, code: string, details: string) =>
    `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${kind}</CdtDbtInd>${booked}<BkTxCd><Prtry><Cd>${code}</Cd></Prtry></BkTxCd><NtryDtls>${details}</NtryDtls></Ntry>`
  const kinds = (text: string) =>
    read(camt(text))[0]?.entries.map(({ kind, amount, endToEndId }) => [kind, amount, endToEndId])
  const both = one('E1') + one('E2')
  t.strictSame(kinds(entry('DBIT', '26.00', 'NRTI+109', both)), [
    ['return', '10.00', 'E1'],
    ['return', '10.00', 'E2'],
    ['charges', '6.00', null],
  ])
  t.strictSame(kinds(entry('CRDT', '26.00', 'NDDT+171', both)), [
    ['booking', '10.00', 'E1'],
    ['booking', '10.00', 'E2'],
    ['booking', '6.00', null],
  ])
  // Transactions that are more than the entry, or have no amounts, explain nothing.
  for (const details of [both, both.replaceAll(/<Amt.*?<\/Amt>/g, '')])
    t.strictSame(kinds(entry('DBIT', '15.00', 'NRTI+109', details)), [['return', '15.00', null]])
})

t.test('older versions have the amount of a transaction among its details', async (t) => {
  const one = (id: string, amount: string) =>
    `<TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs><AmtDtls><InstdAmt><Amt Ccy="EUR">${amount}</Amt></InstdAmt></AmtDtls></TxDtls>`
  const entry = `<Ntry><Amt Ccy="EUR">30.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>${booked}<BkTxCd><Prtry><Cd>NDDT+171</Cd></Prtry></BkTxCd><NtryDtls>${one('E1', '10.00')}${one('E2', '20.00')}</NtryDtls></Ntry>`
  t.match(
    read(camt(entry, '053', '02'))[0]?.entries,
    exactArrays([
      { kind: 'booking', endToEndId: 'E1', amount: '10.00' },
      { kind: 'booking', endToEndId: 'E2', amount: '20.00' },
    ]),
  )
})

t.test('money that comes because a return was reversed is no booking', async (t) => {
  const reversal = batch
    .replace('</CdtDbtInd>', '</CdtDbtInd><RvslInd>true</RvslInd>')
    .replace(/<Btch>.*<\/Btch>/, '<TxDtls><Refs><EndToEndId>E1</EndToEndId></Refs></TxDtls>')
  t.match(read(camt(reversal))[0]?.entries, exactArrays([{ kind: 'other', isCredit: true }]))
})

t.test('references that say that there is none are none', async (t) => {
  const refs = '<Refs><EndToEndId>NOTPROVIDED</EndToEndId><MndtId>M-2</MndtId></Refs>'
  const [statement] = read(camt(returned(refs)))
  t.match(statement?.entries, exactArrays([{ endToEndId: null, mandateReference: 'M-2' }]))
})

t.test('older dialects are read', async (t) => {
  const status = '<Sts>BOOK</Sts><BookgDt><DtTm>2026-12-14T10:00:00</DtTm></BookgDt>'
  const details =
    '<Refs><MndtId>M-2</MndtId></Refs><RltdPties><Dbtr><Nm>Lena</Nm></Dbtr></RltdPties>'
  const text = camt(returned(details, '50.5', status), '052', '02')
  t.match(
    read(text),
    exactArrays([
      {
        format: 'camt.052.001.02',
        entries: [{ amount: '50.50', bookedOn: '2026-12-14', counterparty: 'Lena' }],
      },
    ]),
  )
  const bare = text.replace(/ xmlns="[^"]*"/, '')
  t.match(read(bare), exactArrays([{ format: 'camt.052.001.02' }]), 'without a namespace')
  const prefixed = camt(batch)
    .replaceAll(/<(\/?)([A-Z])/g, '<$1n:$2')
    .replace('xmlns=', 'xmlns:n=')
  t.match(
    read(prefixed),
    exactArrays([{ format: 'camt.053.001.08', entries: [{ kind: 'booking' }] }]),
  )
})

t.test('entries that are only announced are left out', async (t) => {
  const pending = batch.replace('<Cd>BOOK</Cd>', '<Cd>PDNG</Cd>')
  t.match(read(camt(pending)), exactArrays([{ entries: { length: 0 } }]))
})

t.test('several returns in one entry are several', async (t) => {
  const one = (id: string, amount: string) =>
    `<TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs><Amt Ccy="EUR">${amount}</Amt><RtrInf><Rsn><Cd>MS03</Cd></Rsn></RtrInf></TxDtls>`
  const entry = `<Ntry><Amt Ccy="EUR">30.00</Amt><CdtDbtInd>DBIT</CdtDbtInd>${booked}<NtryDtls>${one('E1', '10.00')}${one('E2', '20.00')}</NtryDtls></Ntry>`
  const [statement] = read(camt(entry))
  t.strictSame(
    statement?.entries.map(({ endToEndId, amount }) => [endToEndId, amount]),
    [
      ['E1', '10.00'],
      ['E2', '20.00'],
    ],
  )
})

t.test('a refusal before the booking names the direct debit, the batch or the file', async (t) => {
  const report = (status: string) =>
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>${status}</CstmrPmtStsRpt></Document>`
  const reason = '<StsRsnInf><Rsn><Cd>AC01</Cd></Rsn></StsRsnInf>'
  const group = '<OrgnlGrpInfAndSts><OrgnlMsgId>M1</OrgnlMsgId></OrgnlGrpInfAndSts>'
  const transaction = `${group}<OrgnlPmtInfAndSts><OrgnlPmtInfId>P1</OrgnlPmtInfId><TxInfAndSts><OrgnlEndToEndId>E1</OrgnlEndToEndId><TxSts>RJCT</TxSts>${reason}</TxInfAndSts><TxInfAndSts><OrgnlEndToEndId>E2</OrgnlEndToEndId><TxSts>ACCP</TxSts></TxInfAndSts></OrgnlPmtInfAndSts>`
  t.match(
    read(report(transaction)),
    exactArrays([
      {
        format: 'pain.002.001.10',
        accountIban: null,
        entries: [{ endToEndId: 'E1', returnCode: 'AC01' }],
      },
    ]),
  )
  t.equal(read(report(transaction))[0]?.entries.length, 1)
  const batch = transaction.replace('<TxInfAndSts>', `<PmtInfSts>RJCT</PmtInfSts><TxInfAndSts>`)
  t.match(
    read(report(batch)),
    exactArrays([{ entries: [{ endToEndId: 'E1' }, { endToEndId: null, batchId: 'P1' }] }]),
    'a refused batch that names one direct debit',
  )
  for (const status of ['PART', 'ACCP', 'RCVD'])
    t.equal(read(report(batch.replace('RJCT', status)))[0]?.entries.length, 1, status)
  const whole = `<OrgnlGrpInfAndSts><OrgnlMsgId>M1</OrgnlMsgId><GrpSts>RJCT</GrpSts>${reason}</OrgnlGrpInfAndSts>`
  t.match(
    read(report(whole)),
    exactArrays([{ entries: [{ kind: 'refusal', messageId: 'M1', endToEndId: null }] }]),
  )
})

t.test(
  'anything that is not a statement is refused with the line, and nothing is guessed',
  async (t) => {
    for (const [text, reason] of [
      ['', /The file is empty/],
      ['  ', /The file is empty/],
      ['<Document><Foo/></Document>', /begins with Foo/],
      ['<html></html>', /begins with html/],
      [camt(batch).slice(0, -20), /damaged XML: unclosed tag/],
      [camt(batch).replace('1535.00', '15,35'), /"15,35" is not an amount \(line 1\)/],
      [camt(batch).replace(/<Amt.*?<\/Amt>/, ''), /names no amount \(line 1\)/],
      [camt(batch).replace('2026-12-14', '2026-02-30'), /"2026-02-30" is not a date \(line 1\)/],
      ['<constructor/>', /begins with constructor/],
      [camt(batch).replace('<Acct>', '<X>').replace('</Acct>', '</X>'), /names no account/],
      [`<!DOCTYPE a [<!ENTITY b "c">]>${camt(batch)}`, /document type/],
      [camt(batch).replace('M1', '&b;'), /undefined entity/],
      ['<Document><CstmrDrctDbtInitn/></Document>', /goes to the bank/],
      [`<Document>${'<a>'.repeat(100)}`, /begins with a|too deep/],
    ] as const) {
      t.throws(() => read(text), { code: 'STATEMENT_REFUSED', message: reason }, text.slice(0, 60))
    }
  },
)
