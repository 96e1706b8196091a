export { AuditView } from './audit/audit-view.tsx';
export { CaseView } from './case/case-view.tsx';
export { ComparisonView } from './compare/comparison-view.tsx';
export { FiguresView } from './figures/figures-view.tsx';
