import { catalogue } from '../catalogue.ts'

/** Passkeys, on the page to sign in and in the settings. */
export const personPasskeyMessages = catalogue('personPasskeys', {
  signIn: 'Sign in with a passkey',
  title: 'Passkeys',
  about:
    'Sign in with the fingerprint, face or PIN of a device, or with a security key. Nothing to type, nothing to leak.',
  none: 'No passkeys yet.',
  unsupported: 'This browser has no passkeys for this site.',
  name: 'Name of the passkey',
  nameHelp: 'So that you recognise it, such as “Work laptop”. Up to 64 characters.',
  badName: 'Use 1 to 64 printable characters.',
  add: 'Add passkey',
  added: 'Passkey added.',
  rename: 'Rename',
  renameOf: (name: string) => `Rename ${name}`,
  renamed: 'Passkey renamed.',
  saveName: 'Save name',
  remove: 'Remove',
  removed: 'Passkey removed.',
  addedAgo: (ago: string) => `Added ${ago}`,
  usedAgo: (ago: string) => `last used ${ago}`,
  neverUsed: 'never used',
  failures: {
    passkeyCancelled: 'No passkey was used. You can try again, or sign in another way.',
    passkeyPresent: 'This device already has a passkey for your account.',
    passkeyFailed: 'The browser could not use a passkey here. Try another browser or another way.',
    badPasskeyResponse:
      'The passkey was not accepted. It may have been removed, or it took too long. Try again.',
    badPasskey: 'This passkey was already removed.',
    badKnownPasskey: 'This passkey was added before.',
    badPasskeyCount: 'You have the maximum number of passkeys. Remove one first.',
    badLastWay: 'This is your only way to sign in. Add another one first.',
  },
})

export type PersonPasskeyMessages = typeof personPasskeyMessages.english
