import type { AdminVerificationsWords } from '../en/admin-verifications.ts'

export const adminVerifications: AdminVerificationsWords = {
  title: 'Bestätigungen',
}
