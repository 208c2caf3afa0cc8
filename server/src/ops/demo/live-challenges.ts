import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { DemoChallenge } from './content/challenge.ts'
import { guestBook, guestBookBot, numberStation } from './live-programs.ts'

// Examples with running parts: a container for each team, and an admin bot to attack.

const LIFETIME_MS = 30 * MINUTE_MS
/** Contains a shell, a listener and a small web server; the examples need nothing else. */
const IMAGE = 'docker.io/library/busybox:1.37'

/** What a live challenge adds: a flag for each team and the instance that reveals it. */
export interface LiveChallenge extends Omit<DemoChallenge, 'flag'> {
  /** Each team's flag is derived from this text. */
  readonly flagBase: string
  readonly instance: Readonly<Record<string, unknown>>
  /** TypeScript source for the admin bot, if the challenge has one. */
  readonly botCode?: string
}

/** A service whose program is passed in its environment, because the image does not contain it. */
function service(script: string, command: string) {
  return {
    image: IMAGE,
    command,
    environment: { SCRIPT: script, FLAG: '$SVC_FLAG' },
    user: '65534:65534',
    mem_limit: '16m',
    tmpfs: { '/tmp': 'size=1m,noexec,nosuid,nodev' },
  }
}

const LISTEN = `sh -c 'printf %s "$SCRIPT" > /tmp/script; exec nc -ll -p 1337 -e sh /tmp/script'`
const SERVE = `sh -c 'printf %s "$SCRIPT" > /tmp/guests.cgi; echo "*.cgi:/bin/sh" > /tmp/httpd.conf; exec httpd -f -p 8080 -h /tmp -c /tmp/httpd.conf'`

const decay = { min: 100, max: 500 }

export const liveChallenges: readonly LiveChallenge[] = [
  {
    id: 'number-station',
    name: 'Number station',
    category: 'misc',
    author: 'harbour master',
    description: [
      'A station reads out sums and wants the answers, fast. Somebody who answers five in a row may see the log book.',
      '',
      'Start your own station below and talk to it, with `nc` to begin with.',
    ].join('\n'),
    flagBase: 'flag{the_station_hears_who_counts_quickly}',
    points: decay,
    difficulty: 4,
    files: [{ name: 'number-station.sh', bytes: Buffer.from(numberStation) }],
    instance: {
      challengeIntegrationId: 'number-station',
      timeoutMilliseconds: LIFETIME_MS,
      expose: [{ kind: 'tcp', hostPrefix: 'station', containerName: 'station', containerPort: 1337 }],
      config: { services: { station: service(numberStation, LISTEN) } },
    },
  },
  {
    id: 'guest-book',
    name: 'Guest book',
    category: 'web',
    author: 'harbour master',
    description: [
      'The guest book greets everybody by name. The harbour master reads every page that is sent in, signed in, of course.',
      '',
      'Start your own guest book, find a page of it that the harbour master should not open, and send its address.',
    ].join('\n'),
    flagBase: 'flag{every_guest_book_needs_an_escape}',
    points: decay,
    difficulty: 6,
    files: [{ name: 'guest-book.sh', bytes: Buffer.from(guestBook) }],
    instance: {
      challengeIntegrationId: 'guest-book',
      timeoutMilliseconds: LIFETIME_MS,
      expose: [{ kind: 'http', hostPrefix: 'guests', containerName: 'guests', containerPort: 8080 }],
      config: { services: { guests: service(guestBook, SERVE) } },
    },
    botCode: guestBookBot,
  },
]
