// Shows times in the time zone of the browser.
const language = document.documentElement.lang
const locale = navigator.languages.find((each) => each.startsWith(language)) ?? language
for (const time of document.querySelectorAll('time')) {
  const at = new Date(time.dateTime)
  if (Number.isNaN(at.getTime())) continue
  time.title = time.dateTime
  time.textContent = at.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'medium' })
}
