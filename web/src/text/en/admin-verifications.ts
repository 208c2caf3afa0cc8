export const adminVerifications = {
  title: 'Verifications',
}

export type AdminVerificationsWords = typeof adminVerifications
