/** yyyy-MM-dd */
export type Day = string

const dayMs = 86_400_000

export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)
}

/** Whether banks settle euro payments on this day: national holidays do not count (TARGET calendar of the ECB). */
export function isBankDay(day: Day): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  if (weekday === 0 || weekday === 6) return false
  if (fixedHolidays.has(day.slice(5))) return false
  const easter = easterSunday(Number(day.slice(0, 4)))
  return day !== addDays(easter, -2) && day !== addDays(easter, 1)
}

const fixedHolidays: ReadonlySet<string> = new Set(['01-01', '05-01', '12-25', '12-26'])

/** The bank day that comes `count` bank days after a day, which need not be one itself. */
export function addBankDays(day: Day, count: number): Day {
  let found = day
  for (let left = count; left > 0; ) {
    found = addDays(found, 1)
    if (isBankDay(found)) left -= 1
  }
  return found
}

/** The day itself if it is a bank day, or else the next one. */
export function firstBankDayFrom(day: Day): Day {
  return isBankDay(day) ? day : addBankDays(day, 1)
}

/** The Gregorian computus of Meeus, Jones and Butcher. */
function easterSunday(year: number): Day {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const ofCentury = year % 100
  const leapCenturies = Math.floor(century / 4)
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - leapCenturies - correction + 15) % 30
  const weekday =
    (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7
  const shift = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const days = epact + weekday - 7 * shift + 114
  const month = String(Math.floor(days / 31)).padStart(2, '0')
  return `${year}-${month}-${String((days % 31) + 1).padStart(2, '0')}`
}
