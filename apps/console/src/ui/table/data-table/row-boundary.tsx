import { Component, type ReactNode } from 'react';

interface RowBoundaryProps {
  /** A new row is a new attempt. */
  row: unknown;
  text: string;
  children: ReactNode;
}

/** Contains the failure of a row that fails to render. React catches such errors in classes only. */
export class RowBoundary extends Component<RowBoundaryProps, { failedRow: unknown; hasFailed: boolean }> {
  override state = { failedRow: undefined as unknown, hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch() {
    this.setState({ failedRow: this.props.row });
  }

  override componentDidUpdate() {
    const { hasFailed, failedRow } = this.state;
    if (hasFailed && failedRow !== undefined && failedRow !== this.props.row)
      this.setState({ hasFailed: false, failedRow: undefined });
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return <td className="col-span-full block py-1 text-negative">{this.props.text}</td>;
  }
}
