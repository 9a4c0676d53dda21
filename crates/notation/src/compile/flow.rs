//! Statements become instructions.

use super::liveness;
use crate::code::{
    BranchCode, ConditionCode, EventCode, Instruction, PointCode, ThreadCode, ValueCode,
    VariableInfo,
};
use crate::diagnostic::{DiagnosticCode, Diagnostics};
use crate::resolver::{KnownVariable, Resolver};
use crate::span::Span;
use crate::symbols::Symbols;
use crate::syntax::{
    ComparisonSign, Expression, Identifier, Statement, StatementKind, SyncSyntax,
    ThreadDeclaration, ThreadRoleWord,
};
use crate::values::{TextValue, ValueKind};

/// Compiles the body of a b-thread; `None` after a mistake.
pub(super) fn compile(
    thread: &ThreadDeclaration,
    symbols: &Symbols,
    known: &[KnownVariable],
    parameters: usize,
    diagnostics: &mut Diagnostics,
) -> Option<ThreadCode> {
    let variables = known.iter().map(|variable| VariableInfo {
        name: variable.name.clone(),
        is_kept: false,
        range: None,
    });
    let mut flow = FlowCompiler {
        role: thread.role,
        resolver: Resolver { symbols, variables: known, diagnostics },
        instructions: Vec::new(),
        points: Vec::new(),
        variables: variables.collect(),
        is_wrong: false,
    };
    flow.statements(&thread.body);
    flow.instructions.push(Instruction::End);
    if flow.is_wrong {
        return None;
    }
    let FlowCompiler { instructions, points, variables, .. } = flow;
    let mut code = ThreadCode { instructions, points, variables, parameters };
    if code.variables.len() > super::MOST_VARIABLES {
        let message = format!("a b-thread has at most {} variables", super::MOST_VARIABLES);
        diagnostics.report(DiagnosticCode::TooManyValues, thread.span, message);
        return None;
    }
    liveness::find(&mut code);
    Some(code)
}

struct FlowCompiler<'a> {
    role: ThreadRoleWord,
    resolver: Resolver<'a>,
    instructions: Vec<Instruction>,
    points: Vec<PointCode>,
    variables: Vec<VariableInfo>,
    /// Whether a mistake was found; the others are found nevertheless.
    is_wrong: bool,
}

impl FlowCompiler<'_> {
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            if self.statement(statement).is_none() {
                self.is_wrong = true;
            }
        }
    }

    fn here(&self) -> usize {
        self.instructions.len()
    }

    fn emit(&mut self, instruction: Instruction) -> usize {
        self.instructions.push(instruction);
        self.instructions.len() - 1
    }

    /// Lets a jump or a condition go on here.
    fn land(&mut self, jump: usize) {
        let here = self.here();
        if let Some(Instruction::Jump(target) | Instruction::Unless { otherwise: target, .. }) =
            self.instructions.get_mut(jump)
        {
            *target = here;
        }
    }

    fn statement(&mut self, statement: &Statement) -> Option<()> {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Sync(sync) => {
                let point = self.new_point();
                self.emit(Instruction::Stop(point));
                self.branch(point, sync, span)
            }
            StatementKind::Forever(body) => {
                let start = self.here();
                self.statements(body);
                self.emit(Instruction::Jump(start));
                Some(())
            }
            StatementKind::Times(count, body) => self.times(count, body, span),
            StatementKind::While(condition, body) => {
                let condition_code = self.resolver.condition(condition);
                let start = self.here();
                let jump = self.unless(condition_code.clone(), condition.span);
                self.statements(body);
                self.emit(Instruction::Jump(start));
                self.land(jump);
                condition_code.map(drop)
            }
            StatementKind::If { condition, then, otherwise } => {
                let condition_code = self.resolver.condition(condition);
                let jump = self.unless(condition_code.clone(), condition.span);
                self.statements(then);
                let end = self.emit(Instruction::Jump(0));
                self.land(jump);
                self.statements(otherwise);
                self.land(end);
                condition_code.map(drop)
            }
            StatementKind::Either(branches) => {
                let point = self.new_point();
                self.emit(Instruction::Stop(point));
                self.either(point, branches, span)
            }
            StatementKind::Keep { name, set, value } => self.keep(name, set.as_ref(), value, span),
            StatementKind::Assign { name, value } => self.assign(name, value, span),
            StatementKind::Fail(sentence) => {
                if self.role != ThreadRoleWord::Require {
                    let message = "`fail` stands only in `require`";
                    return self.resolver.report(DiagnosticCode::FailOutside, span, message);
                }
                self.emit(Instruction::Fail(sentence.text.clone()));
                Some(())
            }
        }
    }

    fn unless(&mut self, condition: Option<ConditionCode>, span: Span) -> usize {
        let never = ConditionCode::Present(ValueCode::Constant(TextValue::Missing));
        let condition = condition.unwrap_or(never);
        self.emit(Instruction::Unless { condition, otherwise: 0, span })
    }

    fn new_point(&mut self) -> usize {
        self.points.push(PointCode { branches: Vec::new(), live: 0 });
        self.points.len() - 1
    }

    /// The first sync points of all branches stand together.
    fn either(&mut self, point: usize, branches: &[Vec<Statement>], span: Span) -> Option<()> {
        let mut ends = Vec::new();
        let mut is_fine = true;
        for branch in branches {
            let Some((first, rest)) = branch.split_first() else {
                is_fine = false;
                continue;
            };
            let begun = match &first.kind {
                StatementKind::Sync(sync) => self.branch(point, sync, first.span),
                StatementKind::Either(inner) => self.either(point, inner, first.span),
                _ => {
                    let message =
                        "a branch of `either` begins with a sync point or with another `either`";
                    let code = DiagnosticCode::EitherWithoutSyncPoint;
                    self.resolver.report(code, first.span, message)
                }
            };
            is_fine &= begun.is_some();
            self.statements(rest);
            ends.push(self.emit(Instruction::Jump(0)));
        }
        for end in ends {
            self.land(end);
        }
        if branches.len() < 2 {
            let message = "`either` has one branch: write `or` and the others below it";
            self.resolver.diagnostics.report(DiagnosticCode::Block, span, message);
            return None;
        }
        is_fine.then_some(())
    }

    /// A sync point after which the b-thread goes on here.
    fn branch(&mut self, point: usize, sync: &SyncSyntax, span: Span) -> Option<()> {
        self.check_role(sync, span)?;
        let mut requests = Vec::new();
        let mut is_fine = true;
        for request in &sync.requests {
            let set = self.resolver.events(&request.set);
            let weight = match &request.weight {
                None => Some(None),
                Some(weight) => self.weight(weight).map(Some),
            };
            match (set, weight) {
                (Some(set), Some(weight)) => requests.push((set, weight)),
                _ => is_fine = false,
            }
        }
        let mut optional = |set: &Option<Expression>| -> Option<Option<EventCode>> {
            let Some(set) = set else { return Some(None) };
            self.resolver.events(set).map(Some)
        };
        let (waits, blocks) = (optional(&sync.waits), optional(&sync.blocks));
        let (interrupts, otherwise) = (optional(&sync.interrupts), optional(&sync.otherwise));
        let next = self.here();
        let branch = BranchCode {
            is_hot: sync.is_hot,
            requests,
            waits: waits?,
            blocks: blocks?,
            interrupts: interrupts?,
            otherwise: otherwise?,
            next,
            span,
        };
        self.points[point].branches.push(branch);
        is_fine.then_some(())
    }

    fn weight(&mut self, weight: &Expression) -> Option<ValueCode> {
        if self.role != ThreadRoleWord::Chance {
            let message = "a weight stands only in `chance`: separate events with commas";
            return self.resolver.report(DiagnosticCode::Weight, weight.span, message);
        }
        self.resolver.number(weight).map(|(code, _)| code)
    }

    /// Reports clauses that this kind of b-thread must not have.
    fn check_role(&mut self, sync: &SyncSyntax, span: Span) -> Option<()> {
        let acts = !sync.requests.is_empty() || sync.otherwise.is_some();
        match self.role {
            ThreadRoleWord::Strategy if sync.blocks.is_some() => {
                let message = "a strategy must not block: what is legal belongs in a rule";
                self.resolver.report(DiagnosticCode::StrategyBlocks, span, message)
            }
            ThreadRoleWord::Require if acts || sync.blocks.is_some() => {
                let message = "a requirement only watches: it must not request or block";
                self.resolver.report(DiagnosticCode::RequirementActs, span, message)
            }
            _ => Some(()),
        }
    }

    /// A hidden variable counts down.
    fn times(&mut self, count: &Expression, body: &[Statement], span: Span) -> Option<()> {
        let value = self.resolver.number(count).map(|(code, _)| code);
        let variable = self.variables.len();
        self.variables.push(VariableInfo { name: "times".to_owned(), is_kept: false, range: None });
        let number = |number| ValueCode::Constant(TextValue::Number(number));
        let counter = || Box::new(ValueCode::Variable(variable));
        let first = value.clone().unwrap_or_else(|| number(0));
        self.emit(Instruction::Assign { variable, value: first, span });
        let start = self.here();
        let is_left = ConditionCode::Compare(ComparisonSign::Greater, *counter(), number(0));
        let jump = self.unless(Some(is_left), count.span);
        self.statements(body);
        let less = ValueCode::Difference(counter(), Box::new(number(1)));
        self.emit(Instruction::Assign { variable, value: less, span });
        self.emit(Instruction::Jump(start));
        self.land(jump);
        value.map(drop)
    }

    fn keep(
        &mut self,
        name: &Identifier,
        set: Option<&Expression>,
        value: &Expression,
        span: Span,
    ) -> Option<()> {
        if let Some(set) = set {
            let (code, kind) = self.resolver.value(set)?;
            let ValueKind::SetOf(_) = kind.kind else {
                let message = "the range of a variable is a set, such as `0..9`";
                return self.resolver.report(DiagnosticCode::WrongKind, set.span, message);
            };
            let place = self.place(name)?;
            if let Some(variable) = self.variables.get_mut(place) {
                variable.range = Some(code);
            }
        }
        let place = self.place(name)?;
        if let Some(variable) = self.variables.get_mut(place) {
            variable.is_kept = true;
        }
        self.assign(name, value, span)
    }

    fn place(&mut self, name: &Identifier) -> Option<usize> {
        let known = self.resolver.variables;
        known.iter().position(|variable| variable.name == name.text).or_else(|| {
            let names = known.iter().map(|variable| &*variable.name);
            let hint = self.resolver.diagnostics.hint(&name.text, names);
            let message = format!(
                "no variable is called `{0}`{hint}; write `keep {0} = …` where it begins",
                name.text
            );
            let message = if hint.is_empty() {
                message
            } else {
                format!("no variable is called `{}`{hint}", name.text)
            };
            self.resolver.report(DiagnosticCode::UnknownName, name.span, message)
        })
    }

    fn assign(&mut self, name: &Identifier, value: &Expression, span: Span) -> Option<()> {
        let (place, resolved) = (self.place(name), self.resolver.value(value));
        let (variable, (value, kind)) = (place?, resolved?);
        let expected = self.resolver.variables[variable].kind.kind.clone();
        if expected.with(&kind.kind).is_none() {
            return self.resolver.mixed(&expected, &kind.kind, span);
        }
        self.emit(Instruction::Assign { variable, value, span });
        Some(())
    }
}
