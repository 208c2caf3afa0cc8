/** The last day with security updates: https://github.com/nodejs/Release. Newer lines are unknown, and not reported. */
const LAST_DAYS: Readonly<Record<string, string>> = {
  20: '2026-04-30',
  21: '2024-06-01',
  22: '2027-04-30',
  23: '2025-06-01',
  24: '2028-04-30',
  25: '2026-06-01',
  26: '2029-04-30',
}

/**
 * The problem and its remedy if this line of Node gets no more security updates, or null.
 * @param now Unix milliseconds.
 */
export function describeEndedNode(now: number, version = process.versions.node) {
  const [line = ''] = version.split('.')
  const lastDay = LAST_DAYS[line]
  if (lastDay === undefined || !isOver(lastDay, now)) return null
  const supported = Object.entries(LAST_DAYS).filter(
    ([each, day]) => Number(each) % 2 === 0 && !isOver(day, now),
  )
  const names = supported.map(([each]) => each).join(', ')
  return {
    finding: `Node ${line} has had no security updates since ${lastDay}; this is ${version}.`,
    remedy: `Use a supported line${names === '' ? '' : `: ${names}`}.`,
  }
}

function isOver(day: string, now: number): boolean {
  return now >= Date.parse(`${day}T24:00:00Z`)
}
