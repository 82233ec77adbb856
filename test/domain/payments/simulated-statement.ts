import t from 'tap'
import {
  debitCollectionRecord,
  directDebitRecord,
} from '../../../fixtures/builders/payment-records.ts'
import { minutesAfterNoon } from '../../../fixtures/builders/records.ts'
import { parseMoney } from '../../../src/domain/money.ts'
import { simulateStatement } from '../../../src/domain/payments/simulated-statement.ts'

const money = (text: string) => parseMoney(text) ?? (undefined as never)

t.test('the balances of a simulated statement agree with its entries', async (t) => {
  const collection = debitCollectionRecord({ count: 2, total: money('600.00') })
  const returns = [{ debit: directDebitRecord(1), returnCode: 'AM04' }]
  const closing = (refused: string) => {
    const refusing = { ...collection, refusedTotal: money(refused) }
    const text = simulateStatement({
      ...{ collection: refusing, returns, charges: money('3.00') },
      now: minutesAfterNoon(1),
    })
    return /CLBD<\/Cd><\/CdOrPrtry><\/Tp><Amt Ccy="EUR">(.*?)<\/Amt><CdtDbtInd>(....)/
      .exec(text)
      ?.slice(1)
  }
  t.strictSame(closing('0.00'), ['97.00', 'CRDT'])
  t.strictSame(closing('100.00'), ['3.00', 'DBIT'])
})
