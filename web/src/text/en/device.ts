import { catalogue } from '../catalogue.ts'

export const deviceMessages = catalogue('device', {
  title: 'Sign in a program',
  enter: 'Enter the code that the program shows, for example after “pennant login”.',
  code: 'Code',
  codeInvalid: 'Enter a code of eight letters, such as BCDF-GHJK.',
  unknown: 'This code is unknown, used or expired. Start again in the program.',
  compare: 'Does the program show this code?',
  program: 'Program',
  address: 'Address',
  other:
    'This browser has another address. That is normal if the program runs on another machine, such as a server.',
  warn: 'Confirm only if you started this program yourself just now. Whoever sent you a link or a code to enter here could act as you.',
  as: (team: string) => `It will act as you, in the team ${team}:`,
  ends: (time: string) =>
    `Its access ends ${time}. You can revoke it before in your settings, under API tokens.`,
  scopes: 'What it may do',
  scopeMissing: 'Choose at least one.',
  confirm: 'Confirm',
  deny: 'Refuse',
  confirmed: 'The program is signed in. You can close this page.',
  denied: 'The program was refused. You can close this page.',
  tooMany: 'You have too many API tokens. Revoke one in your settings first.',
})

export type DeviceMessages = typeof deviceMessages.english
