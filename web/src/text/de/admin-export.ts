import type { AdminExportWords } from '../en/admin-export.ts'

export const adminExport: AdminExportWords = {
  title: 'Export',
}
