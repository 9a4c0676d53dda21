//! Computing values, conditions and sets of events.

mod parts;

use crate::code::{ArgumentCode, ConditionCode, EventCode, EventPattern, ValueCode};
use crate::event_bits::EventBits;
use crate::limits::{Budget, Exceeded};
use crate::symbols::{EventFamily, Symbols};
use crate::values::TextValue;

/// The values of the variables of a b-thread; `None` until they have one.
pub(crate) type Variables = Vec<Option<TextValue>>;

/// Why something has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// It would exceed a bound.
    Exceeded(Exceeded),
    /// This variable has no value yet.
    NoValueYet(usize),
}

impl From<Exceeded> for Trouble {
    fn from(exceeded: Exceeded) -> Self {
        Self::Exceeded(exceeded)
    }
}

/// The longest range that is written out.
const LONGEST_RANGE: i64 = 100_000;

/// A pattern that remembers values.
pub(crate) struct CaptureCase<'c> {
    /// The events for which it does.
    pub(crate) events: EventBits,
    pattern: &'c EventPattern,
}

impl CaptureCase<'_> {
    /// The values that an event leaves, each with the variable that remembers it.
    pub(crate) fn values(
        &self,
        symbols: &Symbols,
        event: u32,
    ) -> impl Iterator<Item = (usize, TextValue)> {
        let family = &symbols.families[self.pattern.family];
        let captures = self.pattern.captures();
        captures.map(move |(parameter, variable)| {
            (variable, symbols.argument(family, event, parameter))
        })
    }
}

/// Computes what code says.
pub(crate) struct Evaluator<'a> {
    pub(crate) symbols: &'a Symbols,
    pub(crate) budget: &'a mut Budget,
}

impl Evaluator<'_> {
    pub(crate) fn value(
        &mut self,
        code: &ValueCode,
        variables: &[Option<TextValue>],
    ) -> Result<TextValue, Trouble> {
        self.budget.steps(1)?;
        let mut both = |one: &ValueCode, other: &ValueCode| {
            Ok::<_, Trouble>((self.value(one, variables)?, self.value(other, variables)?))
        };
        match code {
            ValueCode::Constant(value) => Ok(value.clone()),
            ValueCode::Variable(variable) => {
                let value = variables.get(*variable).cloned().flatten();
                value.ok_or(Trouble::NoValueYet(*variable))
            }
            ValueCode::Part(whole, part) => {
                let whole = self.value(whole, variables)?;
                Ok(parts::part(self.symbols, &whole, *part))
            }
            ValueCode::Sum(one, other) => Ok(arithmetic(&both(one, other)?, i64::saturating_add)),
            ValueCode::Difference(one, other) => {
                Ok(arithmetic(&both(one, other)?, i64::saturating_sub))
            }
            ValueCode::Product(one, other) => {
                Ok(arithmetic(&both(one, other)?, i64::saturating_mul))
            }
            ValueCode::Range(one, other) => {
                let range = both(one, other)?;
                self.range(&range)
            }
            ValueCode::Braces(members) => self.braces(members, variables),
            ValueCode::Union(one, other) => {
                let (one, other) = both(one, other)?;
                self.pay_for(&one, &other)?;
                Ok(TextValue::set([one.members(), other.members()].concat()))
            }
            ValueCode::Intersection(one, other) => {
                let (one, other) = both(one, other)?;
                self.filtered(&one, &other, true)
            }
            ValueCode::Without(one, other) => {
                let (one, other) = both(one, other)?;
                self.filtered(&one, &other, false)
            }
            ValueCode::LinesThrough(one, other, lines) => {
                let (one, other) = both(one, other)?;
                self.lines_through(&one, &other, *lines)
            }
        }
    }

    fn pay_for(&mut self, one: &TextValue, other: &TextValue) -> Result<(), Exceeded> {
        self.budget.steps(one.size() + other.size())
    }

    fn range(&mut self, range: &(TextValue, TextValue)) -> Result<TextValue, Trouble> {
        let (TextValue::Number(first), TextValue::Number(last)) = *range else {
            return Ok(TextValue::Missing);
        };
        let length = last.saturating_sub(first).clamp(-1, LONGEST_RANGE) + 1;
        self.budget.steps(usize::try_from(length).unwrap_or(0))?;
        if length > LONGEST_RANGE {
            let limit = LONGEST_RANGE.unsigned_abs();
            return Err(Exceeded::Range { limit }.into());
        }
        Ok(TextValue::Set((first..=last).map(TextValue::Number).collect()))
    }

    /// The members; a member that is a set written by name stands for itself.
    fn braces(
        &mut self,
        members: &[ValueCode],
        variables: &[Option<TextValue>],
    ) -> Result<TextValue, Trouble> {
        let members = members.iter().map(|member| {
            let value = self.value(member, variables)?;
            self.budget.steps(value.size())?;
            Ok(value)
        });
        Ok(TextValue::set(members.collect::<Result<_, Trouble>>()?))
    }

    /// The members of a set that are in another one, or those that are not.
    fn filtered(
        &mut self,
        one: &TextValue,
        other: &TextValue,
        are_in: bool,
    ) -> Result<TextValue, Trouble> {
        self.pay_for(one, other)?;
        let members = one.members().iter().filter(|member| other.contains(member) == are_in);
        Ok(TextValue::set(members.cloned().collect()))
    }

    fn lines_through(
        &mut self,
        through: &TextValue,
        and: &TextValue,
        lines: u32,
    ) -> Result<TextValue, Trouble> {
        let lines = &self.symbols.set(lines).members;
        self.budget.steps(lines.len() * (and.members().len() + 1))?;
        let is_meant = |line: &&TextValue| {
            line.contains(through) && and.members().iter().any(|each| line.contains(each))
        };
        let squares = lines.iter().filter(is_meant).flat_map(|line| line.members().to_vec());
        Ok(TextValue::set(squares.collect()))
    }

    pub(crate) fn condition(
        &mut self,
        code: &ConditionCode,
        variables: &[Option<TextValue>],
    ) -> Result<bool, Trouble> {
        match code {
            ConditionCode::Compare(sign, one, other) => {
                let (one, other) = (self.value(one, variables)?, self.value(other, variables)?);
                self.pay_for(&one, &other)?;
                // Values of different kinds have no order, but they differ.
                let differ =
                    sign.holds(std::cmp::Ordering::Less) && sign.holds(std::cmp::Ordering::Greater);
                Ok(one.order(&other).map_or(differ, |order| sign.holds(order)))
            }
            ConditionCode::In(value, set) => {
                let (value, set) = (self.value(value, variables)?, self.value(set, variables)?);
                self.budget.steps(value.size())?;
                Ok(set.contains(&value))
            }
            ConditionCode::Present(value) => {
                Ok(self.value(value, variables)? != TextValue::Missing)
            }
            ConditionCode::Not(inner) => Ok(!self.condition(inner, variables)?),
            ConditionCode::And(one, other) => {
                Ok(self.condition(one, variables)? && self.condition(other, variables)?)
            }
            ConditionCode::Or(one, other) => {
                Ok(self.condition(one, variables)? || self.condition(other, variables)?)
            }
        }
    }

    /// The events of a set, in order of their numbers.
    pub(crate) fn events(
        &mut self,
        code: &EventCode,
        variables: &[Option<TextValue>],
    ) -> Result<EventBits, Trouble> {
        let all = self.symbols.events();
        self.budget.steps(1 + EventBits::words_of(all))?;
        match code {
            EventCode::Any => Ok(EventBits::full(all)),
            EventCode::Family(pattern) => self.pattern(pattern, variables),
            EventCode::Or(one, other) => {
                let (mut one, other) =
                    (self.events(one, variables)?, self.events(other, variables)?);
                one.extend(&other);
                Ok(one)
            }
            EventCode::And(one, other) => {
                let (mut bits, others) =
                    (self.events(one, variables)?, self.events(other, variables)?);
                bits.retain(&others);
                if one.has_captures() && other.has_captures() {
                    let cases = self.captures(code, variables)?;
                    self.keep_equal(&cases, &mut bits)?;
                }
                Ok(bits)
            }
            EventCode::Except(one, other) => {
                let (mut one, other) =
                    (self.events(one, variables)?, self.events(other, variables)?);
                one.remove_all(&other);
                Ok(one)
            }
        }
    }

    fn pattern(
        &mut self,
        pattern: &EventPattern,
        variables: &[Option<TextValue>],
    ) -> Result<EventBits, Trouble> {
        let symbols = self.symbols;
        let family = &symbols.families[pattern.family];
        let mut allowed: Vec<Option<Vec<u32>>> = vec![None; family.parameters.len()];
        for (parameter, argument) in &pattern.arguments {
            let places = self.places(family, *parameter, argument, variables)?;
            if let Some(places) = places {
                allowed[*parameter] = Some(places);
            }
        }
        let mut bits = EventBits::empty(symbols.events());
        self.fill(family, &allowed, &mut bits)?;
        if pattern.captures_twice() {
            let own = CaptureCase { events: bits.clone(), pattern };
            self.keep_equal(&[own], &mut bits)?;
        }
        Ok(bits)
    }

    /// Keeps the events in which every variable that remembers two values remembers equal ones.
    fn keep_equal(
        &mut self,
        cases: &[CaptureCase<'_>],
        bits: &mut EventBits,
    ) -> Result<(), Exceeded> {
        let events: Vec<u32> = bits.iter().collect();
        self.budget.steps(events.len() * cases.len() * (2 + cases.len()))?;
        for event in events {
            let mut known: Vec<(usize, TextValue)> = Vec::new();
            for case in cases.iter().filter(|case| case.events.contains(event)) {
                known.extend(case.values(self.symbols, event));
            }
            let differs = |(variable, value): &(usize, TextValue)| {
                known.iter().any(|(other, known)| other == variable && known != value)
            };
            if known.iter().any(differs) {
                bits.remove(event);
            }
        }
        Ok(())
    }

    /// The patterns of a set that remember values, each with the events for which it does. The
    /// first one that remembers a value wins. `known` are the events of the whole set.
    pub(crate) fn captures_of<'c>(
        &mut self,
        code: &'c EventCode,
        known: &EventBits,
        variables: &[Option<TextValue>],
    ) -> Result<Vec<CaptureCase<'c>>, Trouble> {
        match code {
            EventCode::Family(pattern) if code.has_captures() => {
                Ok(vec![CaptureCase { events: known.clone(), pattern }])
            }
            _ => self.captures(code, variables),
        }
    }

    fn captures<'c>(
        &mut self,
        code: &'c EventCode,
        variables: &[Option<TextValue>],
    ) -> Result<Vec<CaptureCase<'c>>, Trouble> {
        if !code.has_captures() {
            return Ok(Vec::new());
        }
        let mut cases = Vec::new();
        match code {
            EventCode::Any => {}
            EventCode::Family(pattern) => {
                cases.push(CaptureCase { events: self.pattern(pattern, variables)?, pattern });
            }
            EventCode::Or(one, other) => {
                cases = self.captures(one, variables)?;
                cases.extend(self.captures(other, variables)?);
            }
            EventCode::And(one, other) => {
                for (side, limit) in [(one, other), (other, one)] {
                    let limit = self.events(limit, variables)?;
                    let mut found = self.captures(side, variables)?;
                    for case in &mut found {
                        case.events.retain(&limit);
                    }
                    cases.extend(found);
                }
            }
            EventCode::Except(one, other) => {
                let excluded = self.events(other, variables)?;
                cases = self.captures(one, variables)?;
                for case in &mut cases {
                    case.events.remove_all(&excluded);
                }
            }
        }
        Ok(cases)
    }

    /// The places of the values that an argument allows; `None` if it allows all.
    fn places(
        &mut self,
        family: &EventFamily,
        parameter: usize,
        argument: &ArgumentCode,
        variables: &[Option<TextValue>],
    ) -> Result<Option<Vec<u32>>, Trouble> {
        let set = self.symbols.set(family.parameters[parameter].set);
        let meant = |value: &TextValue| match set.place(value) {
            Some(place) => vec![place],
            None => value.members().iter().filter_map(|member| set.place(member)).collect(),
        };
        Ok(match argument {
            ArgumentCode::Anything | ArgumentCode::Capture(_) => None,
            ArgumentCode::Is(value) => {
                let value = self.value(value, variables)?;
                self.budget.steps(value.size())?;
                Some(meant(&value))
            }
            ArgumentCode::IsNot(value) => {
                let value = self.value(value, variables)?;
                self.budget.steps(value.size() + set.members.len())?;
                let is_meant = mask(set.members.len(), &meant(&value));
                Some((0..).zip(is_meant).filter(|(_, is_it)| !is_it).map(|(at, _)| at).collect())
            }
            ArgumentCode::Compares(sign, value) => {
                let value = self.value(value, variables)?;
                self.budget.steps(value.size() + set.members.len())?;
                let holds = |member: &TextValue| {
                    member.order(&value).is_some_and(|order| sign.holds(order))
                };
                let places = (0..).zip(set.members.iter());
                Some(places.filter(|(_, member)| holds(member)).map(|(place, _)| place).collect())
            }
        })
    }

    /// Adds the events whose arguments are allowed.
    fn fill(
        &mut self,
        family: &EventFamily,
        allowed: &[Option<Vec<u32>>],
        bits: &mut EventBits,
    ) -> Result<(), Exceeded> {
        if !family.is_full {
            let sizes =
                family.parameters.iter().map(|each| self.symbols.set(each.set).members.len());
            let sizes: Vec<usize> = sizes.collect();
            self.budget.steps(family.count as usize * sizes.len() + sizes.iter().sum::<usize>())?;
            let masks = allowed.iter().zip(sizes);
            let masks: Vec<Option<Vec<bool>>> = masks
                .map(|(allowed, size)| allowed.as_ref().map(|these| mask(size, these)))
                .collect();
            let is_allowed = |event: u32| {
                let arguments = family.arguments_of(event).iter().zip(&masks);
                arguments.into_iter().all(|(place, mask)| {
                    mask.as_ref().is_none_or(|mask| mask.get(*place as usize) == Some(&true))
                })
            };
            let events = family.first..family.first + family.count;
            events.filter(|event| is_allowed(*event)).for_each(|event| bits.insert(event));
            return Ok(());
        }
        // The last parameter changes fastest.
        let mut numbers = vec![0_u32];
        for (parameter, allowed) in family.parameters.iter().zip(allowed) {
            let size = u32::try_from(self.symbols.set(parameter.set).members.len());
            let size = size.unwrap_or(u32::MAX);
            let all: Vec<u32> = match allowed {
                Some(allowed) => allowed.clone(),
                None => (0..size).collect(),
            };
            self.budget.steps(numbers.len() * all.len())?;
            let longer = |number: &u32| all.iter().map(|place| number * size + place).collect();
            numbers = numbers.iter().flat_map::<Vec<u32>, _>(longer).collect();
        }
        for number in numbers {
            bits.insert(family.first + number);
        }
        Ok(())
    }

    /// A set of events as it is written, with values for variables.
    pub(crate) fn write(
        &mut self,
        code: &EventCode,
        variables: &[Option<TextValue>],
    ) -> Result<String, Trouble> {
        let mut joined = |one: &EventCode, word: &str, other: &EventCode| {
            let (one, other) = (self.write(one, variables)?, self.write(other, variables)?);
            Ok(format!("{one} {word} {other}"))
        };
        match code {
            EventCode::Any => Ok("any".to_owned()),
            EventCode::Or(one, other) => joined(one, "or", other),
            EventCode::And(one, other) => joined(one, "and", other),
            EventCode::Except(one, other) => joined(one, "except", other),
            EventCode::Family(pattern) => {
                let family = &self.symbols.families[pattern.family];
                let mut arguments = Vec::new();
                for (parameter, argument) in &pattern.arguments {
                    let parameter = &family.parameters[*parameter].name;
                    arguments.push(self.write_argument(parameter, argument, variables)?);
                }
                let name = family.name.clone();
                Ok(if arguments.is_empty() {
                    name
                } else {
                    format!("{name}({})", arguments.join(", "))
                })
            }
        }
    }

    fn write_argument(
        &mut self,
        parameter: &str,
        argument: &ArgumentCode,
        variables: &[Option<TextValue>],
    ) -> Result<String, Trouble> {
        let mut written = |code: &ValueCode| {
            let value = self.value(code, variables)?;
            Ok::<_, Trouble>(self.symbols.write(&value))
        };
        Ok(match argument {
            ArgumentCode::Anything | ArgumentCode::Capture(_) => "_".to_owned(),
            ArgumentCode::Is(value) => written(value)?,
            ArgumentCode::IsNot(value) => format!("not {}", written(value)?),
            ArgumentCode::Compares(sign, value) => {
                format!("{parameter} {} {}", sign.as_str(), written(value)?)
            }
        })
    }
}

/// For each place, whether it is in a list.
fn mask(places: usize, listed: &[u32]) -> Vec<bool> {
    let mut mask = vec![false; places];
    for place in listed {
        if let Some(is_listed) = mask.get_mut(*place as usize) {
            *is_listed = true;
        }
    }
    mask
}

fn arithmetic(both: &(TextValue, TextValue), operation: fn(i64, i64) -> i64) -> TextValue {
    match both {
        (TextValue::Number(one), TextValue::Number(other)) => {
            TextValue::Number(operation(*one, *other))
        }
        _ => TextValue::Missing,
    }
}
