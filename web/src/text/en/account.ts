import { catalogue } from '../catalogue.ts'

export const accountMessages = catalogue('account', {
  name: 'Team name',
  nameHelp: '2–64 letters, digits or symbols (ASCII).',
  email: 'Email address',
  missing: 'This field is required.',
  unconfirmed: "We couldn't confirm that. Check before retrying.",
  saveTokenTitle: 'Save your team token',
  saveTokenText: "This is your team's password. Save it now.",
  savedCheckbox: 'I have saved it',
  saveFirst: 'Save the token first.',
  invite: 'Invite a team mate',
  inviteText:
    'This link signs in as your team, like the token. Share it only with team mates: it works until you sign out everywhere.',
  copyInvitation: 'Copy invitation link',
  showQr: 'Show QR code',
  hideQr: 'Hide QR code',
  qrAlternative: 'QR code of the invitation link. Use “Copy invitation link” for the link as text.',
  qrFailed: "Couldn't load the QR code. Copy the link instead.",
  inbox: (address: string) =>
    `We sent a link to ${address}. It is valid for about an hour. Check your spam folder, too.`,
  signedIn: (name: string) => `You are signed in as ${name}.`,
  otherAddress: 'Use a different address',
})

export type AccountMessages = typeof accountMessages.english
